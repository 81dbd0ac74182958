/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Definitions of presets and user events, by model. */
#ifndef LIBPMCPAPI_PRESET_TABLE_H
#define LIBPMCPAPI_PRESET_TABLE_H

/* PAPI's limits, which programs have arrays for */
#define PRESET_MAX_TERMS 12
#define PRESET_MAX_USER_EVENTS 50
/* With the terminating zero */
#define PRESET_NAME_SIZE 128
#define PRESET_POSTFIX_SIZE 256
#define PRESET_TEXT_SIZE 1024

/* The values are PAPI's; a formula in infix notation is kept in postfix notation. */
enum preset_kind {
	PRESET_NOT_DERIVED = 0x00,
	PRESET_ADD = 0x01,	/* sum of all terms */
	PRESET_PS = 0x02,	/* second term a second, by the cycles of the first */
	PRESET_ADD_PS = 0x04,	/* sum of all but the first term a second, likewise */
	PRESET_CMPD = 0x08,	/* first term; the others only have to be counted, too */
	PRESET_SUB = 0x10,	/* first term less all others */
	PRESET_POSTFIX = 0x20,
	PRESET_INFIX = 0x40,
};

/**
 * struct preset_def - one definition
 * @postfix: the formula of a PRESET_POSTFIX, else NULL
 * @terms: names of native events, presets, or user events
 * @note, @short_descr, @long_descr: NULL if the line has none
 * @line: number of the line in the file
 */
struct preset_def {
	char *name;
	enum preset_kind kind;
	char *postfix;
	int nr_terms;
	char **terms;
	char *note;
	char *short_descr;
	char *long_descr;
	unsigned int line;
};

/**
 * struct preset_block - the definitions for some models
 * @cpus: names of the models; * stands for each model that no other block of the table names.
 *	None: the block is that of a file of user events, before its first CPU line, and is for
 *	each model
 */
struct preset_block {
	int nr_cpus;
	char **cpus;
	int nr_defs;
	struct preset_def *defs;
};

/* All blocks of all files, in the order they were read */
struct preset_table {
	int nr_blocks;
	struct preset_block *blocks;
};

/* "NOT_DERIVED", "DERIVED_ADD", ...; NULL for another value */
const char *preset_kind_name(enum preset_kind kind);

/* Return: 0, and the kind in *@kind; -1: there is no kind of this name. Case does not matter. */
int preset_kind_by_name(const char *name, enum preset_kind *kind);

/* Free what a definition has. */
void preset_def_free(struct preset_def *def);

/* Free what the table has, which is empty then. */
void preset_table_clear(struct preset_table *table);

/**
 * preset_table_find - the definition of a name for a model
 * @cpus: names of the model, each as good as the others, with a NULL at the end
 * @name: case does not matter
 *
 * Return: the last definition; NULL if there is none.
 */
const struct preset_def *preset_table_find(const struct preset_table *table,
					   const char *const *cpus, const char *name);

/**
 * preset_table_each - call @fn for each name that a model has a definition of
 *
 * The definitions are those of preset_table_find(), in the order of the names' first ones.
 *
 * Return: 0, or the first return value of @fn other than 0, which ends the listing.
 */
int preset_table_each(const struct preset_table *table, const char *const *cpus,
		      int (*fn)(void *arg, const struct preset_def *def), void *arg);

#endif

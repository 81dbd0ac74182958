/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The library's own event tables, for core types that libpfm4 (or an old version of it)
 * does not know, and the encodings of generic events that differ between generations of a
 * processor. Where tables in files are installed, these are needed for generic events and for
 * libpfm4's names of AMD's events; without a network there are no files. A new table is a file in
 * this folder and a row of MODEL_TABLES.
 */
#ifndef LIBPMC_TABLES_H
#define LIBPMC_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "../format_event.h"

#define TABLE_EDGE 0x1
#define TABLE_INV 0x2

struct table_event {
	const char *name;	/* as the source spells it; . and : are one */
	int code;
	int umask;		/* or UNSET */
	const char *desc;
	const char *source;	/* where code and unit mask are from */
	int cmask;		/* 0: none */
	int flags;		/* TABLE_EDGE, TABLE_INV */
	uint64_t extra;		/* what its second register is to hold, 0: it has none */
};

/* @...: .cmask, .flags and .extra, where there are any. */
#define EVENT(name_, code_, umask_, desc_, source_, ...)	\
	{ .name = name_, .code = code_, .umask = umask_,	\
	  .desc = desc_, .source = source_, __VA_ARGS__ }

/* Encoding of a generic event; see generic_events.c for the form. "": there is none. */
struct table_generic {
	const char *name;
	const char *meaning;
};

/* CPUID families and models; @native is leaf 0x1A EAX[31:24] on hybrids. */
struct table_model {
	unsigned int family;
	unsigned int first;
	unsigned int last;
	unsigned int native;	/* or 0: all core types of the model */
};

#define NATIVE_ATOM 0x20
#define NATIVE_CORE 0x40

struct event_table {
	const char *name;
	enum family family;
	const char *pfm;	/* libpfm4's name of the model's PMU, or NULL */
	const struct table_model *models; /* family 0 at the end */
	const struct table_event *events;
	size_t nr_events;
	const struct table_generic *generic; /* name NULL at the end */
};

#define TABLE_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Tables of processor models: a row for each, which is table_NAME in NAME.c */
#define MODEL_TABLES(TABLE)	\
	TABLE(adl_glc)		\
	TABLE(adl_grt)		\
	TABLE(amd_fam15h)	\
	TABLE(amd_zen1)		\
	TABLE(amd_zen2)		\
	TABLE(amd_zen3)		\
	TABLE(amd_zen4)		\
	TABLE(amd_zen5)		\
	TABLE(intel_arch_tsc)	\
	TABLE(knc)

#define DECLARE_TABLE(name) extern const struct event_table table_##name;
MODEL_TABLES(DECLARE_TABLE)
#undef DECLARE_TABLE

/* Tables of architectures */
extern const struct event_table table_amd_zen;	/* what all of them have */
extern const struct event_table table_armv8;	/* PMUv3's common events */
extern const struct event_table table_intel_arch; /* CPUID leaf 0xA */

/* Family and model, with their extensions, of an x86 processor's signature. */
void table_decode_cpuid(uint64_t cpuid, unsigned int *family, unsigned int *model);

/* The table for a core type: that of its model, or else that of its architecture. */
const struct event_table *table_choose(enum family family, uint64_t cpuid,
				       unsigned int native_type);

/*
 * 1 if the table is that of one model. The rows of such a table were compared with the
 * vendor's list and take precedence over libpfm4: for Golden Cove, libpfm4 4.13.0+git99
 * encodes the fixed counters' events with codes that the processor does not have.
 */
int table_is_of_model(const struct event_table *table);

/* The event of a row */
void table_read(const struct table_event *t, struct event *row);

const struct table_event *table_find(const struct event_table *table, const char *name);

/* This table's encoding of a generic event; NULL: that of generic_events.c applies. */
const char *table_generic(const struct event_table *table, const char *name);

#endif

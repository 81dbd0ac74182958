// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reader of event files in PAPI's syntax. A file may be a user's, so a line that is wrong is
 * left out, the rest of the file counts, and the caller learns of the first wrong line.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formula.h"
#include "preset_csv.h"

/* PAPI's own file has a quarter of a megabyte. */
#define MAX_FILE_SIZE (4 << 20)
#define MAX_LINE 8192
#define MAX_LINES 20000

struct reader {
	struct preset_table *table;
	const char *name;
	unsigned int line;
	int for_all;		/* there was no CPU line, and there need not be one */
	int skipping;		/* the CPU line was wrong: the model of the lines below is not known */
	int has_defs;		/* there was a definition, good or not, since the last CPU line */
	int nr_lines;
	int wrong;
	char *error;
};

/* The line is wrong. Return: 1. */
__attribute__((format(printf, 2, 3)))
static int wrong(struct reader *r, const char *fmt, ...)
{
	va_list args;
	int n;

	if (r->wrong++)
		return 1;
	n = snprintf(r->error, PRESET_ERROR_SIZE, "%s:%u: ", r->name, r->line);
	if (n >= PRESET_ERROR_SIZE)
		return 1;
	va_start(args, fmt);
	vsnprintf(r->error + n, PRESET_ERROR_SIZE - n, fmt, args);
	va_end(args);
	return 1;
}

/* Room for one more of @nr things of @size bytes: an array of 2^n things is full, and doubles. */
static void *grow(void *array, int nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	return reallocarray(array, nr ? 2 * (size_t)nr : 1, size);
}

static int add_string(char ***list, int *nr, const char *text)
{
	char **more = grow(*list, *nr, sizeof(**list));

	if (!more)
		return -1;
	*list = more;
	more[*nr] = strdup(text);
	if (!more[*nr])
		return -1;
	++*nr;
	return 0;
}

static struct preset_block *add_block(struct preset_table *table)
{
	struct preset_block *more = grow(table->blocks, table->nr_blocks, sizeof(*more));

	if (!more)
		return NULL;
	table->blocks = more;
	more[table->nr_blocks] = (struct preset_block){ 0 };
	return &more[table->nr_blocks++];
}

static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return text;
}

/* The end of a text in quotes: a quote that a comma or the line's end follows. */
static char *closing_quote(char *text, char quote)
{
	char *p;

	for (p = strchr(text, quote); p; p = strchr(p + 1, quote)) {
		char *after = p + 1 + strspn(p + 1, " \t\r");

		if (!*after || *after == ',')
			return p;
	}
	return NULL;
}

/* The next field of a line; "" if two commas follow each other, NULL at the end. */
static char *next_field(char **line)
{
	char *field = *line;

	if (!field)
		return NULL;
	strsep(line, ",");
	return trim(field);
}

/*
 * The next field, a text for readers. In quotes it may have commas. PAPI also takes off other
 * pairs of marks around it.
 */
static char *next_text(char **line)
{
	static const char pairs[] = "()<>{}[]''\"\"//";
	char *text = *line, *end;
	const char *mark;
	size_t len;

	if (!text)
		return NULL;
	text += strspn(text, " \t");
	end = *text == '"' || *text == '\'' ? closing_quote(text + 1, *text) : NULL;
	if (end) {
		*end = '\0';
		*line = strchr(end + 1, ',');
		if (*line)
			++*line;
		return trim(text + 1);
	}
	text = next_field(line);
	len = strlen(text);
	for (mark = pairs; len > 1 && *mark; mark += 2) {
		if (text[0] == mark[0] && text[len - 1] == mark[1]) {
			text[len - 1] = '\0';
			return trim(text + 1);
		}
	}
	return text;
}

static int is_name(const char *text)
{
	return *text && strlen(text) < PRESET_NAME_SIZE;
}

/*
 * CPU,NAME[,TYPE]. TYPE is libpfm4's number of the PMU. A name is that of one model here, so the
 * number is not used.
 */
static int read_cpu(struct reader *r, char *rest)
{
	struct preset_table *table = r->table;
	struct preset_block *block;
	char *name = next_field(&rest);

	block = r->has_defs ? add_block(table) : &table->blocks[table->nr_blocks - 1];
	if (!block)
		return -1;
	r->has_defs = 0;
	r->for_all = 0;
	r->skipping = !block->nr_cpus;
	if (!name || !is_name(name))
		return wrong(r, "the name of a CPU is missing or too long");
	r->skipping = 0;
	return add_string(&block->cpus, &block->nr_cpus, name);
}

/* PAPI's file has presets of graphics processors, too, below lines like cuda,GA100. */
static int skip_component(struct reader *r)
{
	r->skipping = 1;
	r->has_defs = 1;
	return 0;
}

static int read_formula(struct reader *r, struct preset_def *def, char **rest)
{
	char postfix[PRESET_POSTFIX_SIZE];
	char *formula = next_field(rest);
	const char *what = NULL;

	if (!formula || !*formula)
		return wrong(r, "%s: a formula has to follow %s", def->name, preset_kind_name(def->kind));
	if (strlen(formula) >= sizeof(postfix))
		return wrong(r, "%s: the formula has more than %zu characters", def->name,
			     sizeof(postfix) - 1);
	if (def->kind == PRESET_INFIX)
		what = formula_from_infix(formula, postfix, sizeof(postfix));
	else
		strcpy(postfix, formula);
	if (what)
		return wrong(r, "%s: formula '%s': %s", def->name, formula, what);
	def->kind = PRESET_POSTFIX;
	def->postfix = strdup(postfix);
	return def->postfix ? 0 : -1;
}

static char **text_of(struct preset_def *def, const char *field)
{
	return !strcasecmp(field, "NOTE") ? &def->note :
	       !strcasecmp(field, "SDESC") ? &def->short_descr :
	       !strcasecmp(field, "LDESC") ? &def->long_descr : NULL;
}

/* The last of several texts of a kind counts. */
static int read_text(struct reader *r, struct preset_def *def, const char *field, char **rest)
{
	char **to = text_of(def, field), *text = next_text(rest);

	if (!to)
		return wrong(r, "%s: '%s' is none of NOTE, SDESC, LDESC", def->name, field);
	if (!text)
		return wrong(r, "%s: %s is the line's last word, its text is missing", def->name, field);
	free(*to);
	*to = strndup(text, PRESET_TEXT_SIZE - 1);
	return *to ? 0 : -1;
}

/* PAPI's own file has fields that are empty, at the ends of lines and elsewhere. */
static int read_terms(struct reader *r, struct preset_def *def, char **rest)
{
	char *field;
	int rc;

	while ((field = next_field(rest)) && (!*field || !text_of(def, field))) {
		if (!*field)
			continue;
		if (strlen(field) >= PRESET_TEXT_SIZE)
			return wrong(r, "%s: an event's name has more than %d characters", def->name,
				     PRESET_TEXT_SIZE - 1);
		if (def->nr_terms == PRESET_MAX_TERMS)
			return wrong(r, "%s: '%s' is the event number %d, %d are the limit", def->name,
				     field, PRESET_MAX_TERMS + 1, PRESET_MAX_TERMS);
		if (add_string(&def->terms, &def->nr_terms, field))
			return -1;
	}
	for (; field; field = next_field(rest)) {
		rc = *field ? read_text(r, def, field, rest) : 0;
		if (rc)
			return rc;
	}
	return 0;
}

static int check_terms(struct reader *r, const struct preset_def *def)
{
	const int least = def->kind == PRESET_PS || def->kind == PRESET_ADD_PS ? 2 : 1;
	const char *what;

	if (def->nr_terms < least)
		return wrong(r, "%s: %s events, %s needs %d at least", def->name,
			     def->nr_terms ? "too few" : "no", preset_kind_name(def->kind), least);
	if (def->kind == PRESET_NOT_DERIVED && def->nr_terms > 1)
		return wrong(r, "%s: NOT_DERIVED is one event, '%s' is the second", def->name,
			     def->terms[1]);
	what = def->postfix ? formula_check(def->postfix, def->nr_terms) : NULL;
	if (what)
		return wrong(r, "%s: formula '%s': %s", def->name, def->postfix, what);
	return 0;
}

static int read_fields(struct reader *r, struct preset_def *def, char *rest)
{
	char *name = next_field(&rest), *kind = next_field(&rest);
	int rc = 0;

	if (!name || !is_name(name))
		return wrong(r, "the name of an event is missing or too long");
	def->name = strdup(name);
	if (!def->name)
		return -1;
	if (!kind || preset_kind_by_name(kind, &def->kind))
		return wrong(r, "%s: '%s' is no kind of event such as NOT_DERIVED and DERIVED_ADD",
			     name, kind ? kind : "");
	if (def->kind == PRESET_POSTFIX || def->kind == PRESET_INFIX)
		rc = read_formula(r, def, &rest);
	if (!rc)
		rc = read_terms(r, def, &rest);
	return rc ? rc : check_terms(r, def);
}

static int add_def(struct preset_block *block, const struct preset_def *def)
{
	struct preset_def *more = grow(block->defs, block->nr_defs, sizeof(*more));

	if (!more)
		return -1;
	block->defs = more;
	more[block->nr_defs++] = *def;
	return 0;
}

static int read_def(struct reader *r, char *rest)
{
	struct preset_block *block = &r->table->blocks[r->table->nr_blocks - 1];
	struct preset_def def = { .line = r->line };
	int rc;

	r->has_defs = 1;
	if (r->skipping)
		return 0;
	if (!block->nr_cpus && !r->for_all)
		return wrong(r, "there is no CPU line above this line");
	rc = read_fields(r, &def, rest);
	if (!rc)
		rc = add_def(block, &def);
	if (rc)
		preset_def_free(&def);
	return rc;
}

/* Return: 0; 1 if the line is wrong; -1 without memory. */
static int read_line(struct reader *r, char *line)
{
	char *rest = trim(line), *word;

	if (!*rest || *rest == '#')
		return 0;
	word = next_field(&rest);
	if (!strcasecmp(word, "CPU"))
		return read_cpu(r, rest);
	if (!strcasecmp(word, "cuda"))
		return skip_component(r);
	if (strcasecmp(word, "PRESET") && strcasecmp(word, "EVENT"))
		return wrong(r, "a line begins with CPU, PRESET, EVENT or #, not with '%.40s'", word);
	return read_def(r, rest);
}

/* A search takes time for each line, and a listing for each pair of lines. */
static int read_bounded(struct reader *r, char *line)
{
	if (++r->nr_lines <= MAX_LINES)
		return read_line(r, line);
	return r->nr_lines == MAX_LINES + 1 ? wrong(r, "%d lines are the limit", MAX_LINES) : 1;
}

/* Each text begins a block of its own. */
int preset_table_parse(struct preset_table *table, const char *text, size_t size,
		       const char *name, int for_all, char *error)
{
	struct reader r = { .table = table, .name = name, .for_all = for_all, .error = error };
	const char *end = text + size, *eol;
	char line[MAX_LINE];
	int rc = 0;

	*error = '\0';
	if (!add_block(table))
		goto no_memory;
	for (; text < end && rc >= 0; text = eol + 1) {
		eol = memchr(text, '\n', end - text);
		if (!eol)
			eol = end;
		r.line++;
		if (eol - text >= (ptrdiff_t)sizeof(line) || memchr(text, '\0', eol - text)) {
			rc = wrong(&r, "the line is not text, or has more than %d characters", MAX_LINE - 1);
			continue;
		}
		memcpy(line, text, eol - text);
		line[eol - text] = '\0';
		rc = read_bounded(&r, line);
	}
	if (rc >= 0)
		return r.wrong;
no_memory:
	snprintf(error, PRESET_ERROR_SIZE, "%s: there is no memory for its events", name);
	return -1;
}

/* Not from a pipe or a device, for which the program would wait. */
static char *read_file(const char *path, size_t *size, int *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *text = NULL;
	struct stat st;
	ssize_t n;

	*err = errno;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st)) {
		*err = errno;
	} else if (!S_ISREG(st.st_mode) || st.st_size > MAX_FILE_SIZE) {
		*err = S_ISREG(st.st_mode) ? EFBIG : EINVAL;
	} else {
		*err = ENOMEM;
		text = malloc(st.st_size + 1);
	}
	for (*size = 0; text && *size < (size_t)st.st_size; *size += n) {
		n = read(fd, text + *size, st.st_size - *size);
		if (n <= 0)
			break;
	}
	close(fd);
	return text;
}

int preset_table_read(struct preset_table *table, const char *path, int for_all, char *error)
{
	size_t size;
	int rc, err;
	char *text = read_file(path, &size, &err);

	if (!text) {
		snprintf(error, PRESET_ERROR_SIZE, "%s: %s", path,
			 err == EINVAL ? "this is no file" : strerror(err));
		return -1;
	}
	rc = preset_table_parse(table, text, size, path, for_all, error);
	free(text);
	return rc;
}

static int is_csv(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && dot && !strcmp(dot, ".csv");
}

/* Of several files' errors the first is reported. */
static int read_folder(struct preset_table *table, const char *folder, char *error)
{
	char path[4096], here[PRESET_ERROR_SIZE];
	struct dirent **list;
	int i, rc, wrong_lines = 0, failed = 0, nr = scandir(folder, &list, is_csv, alphasort);

	for (i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, list[i]->d_name);
		free(list[i]);
		rc = preset_table_read(table, path, 0, here);
		if (rc && !failed && !wrong_lines)
			memcpy(error, here, sizeof(here));
		failed |= rc < 0;
		wrong_lines += rc > 0 ? rc : 0;
	}
	if (nr >= 0)
		free(list);
	return failed ? -1 : wrong_lines;
}

/* No environment of another user's makes a program with privileges read files. */
int preset_table_presets(struct preset_table *table, const char *folder, char *error)
{
	const char *path = secure_getenv("PAPI_CSV_EVENT_FILE");

	*error = '\0';
	if (path && *path)
		return preset_table_read(table, path, 0, error);
	return read_folder(table, folder, error);
}

int preset_table_user_events(struct preset_table *table, char *error)
{
	const char *path = secure_getenv("PAPI_USER_EVENTS_FILE");

	*error = '\0';
	return path && *path ? preset_table_read(table, path, 1, error) : 0;
}

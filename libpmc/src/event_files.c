// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events and metrics of the tables in files. A file is read as a whole at the first look at
 * it, so that a program that needs no name of it does not pay for it. It is not mapped, as
 * it may be replaced at any time: a mapped file that has become shorter kills its reader.
 * There is no lock, which a child of fork() in another thread could find held for ever: if two
 * threads read a file at a time, one of them frees its copy.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "event_attr.h"
#include "event_files.h"
#include "event_folders.h"
#include "event_index.h"

/* A larger file is none of a processor's. */
#define MAX_FILE_SIZE (16 << 20)

struct content {
	char *text;
	size_t size;
	struct event_index index;
};

struct file {
	char *path;
	int is_csv;
	struct content *content;	/* NULL: not read yet */
};

struct event_files {
	int nr;
	struct file file[MAX_EVENT_FOLDERS];
};

static int has_ending(const char *path, const char *ending)
{
	const char *dot = strrchr(path, '.');

	return dot && !strcmp(dot, ending);
}

struct event_files *event_files_open(const struct core_type *ct)
{
	char *paths[MAX_EVENT_FOLDERS];
	struct event_files *files;
	int i, nr = event_folders_find(ct, paths);

	files = nr ? calloc(1, sizeof(*files)) : NULL;
	if (!files) {
		for (i = 0; i < nr; i++)
			free(paths[i]);
		return NULL;
	}
	files->nr = nr;
	for (i = 0; i < nr; i++) {
		files->file[i].path = paths[i];
		files->file[i].is_csv = has_ending(paths[i], ".csv");
	}
	return files;
}

static void free_content(struct content *c)
{
	if (!c)
		return;
	free(c->text);
	event_index_free(&c->index);
	free(c);
}

void event_files_close(struct event_files *files)
{
	int i;

	for (i = 0; files && i < files->nr; i++) {
		free(files->file[i].path);
		free_content(files->file[i].content);
	}
	free(files);
}

const char *event_files_name(const struct event_files *files)
{
	const char *slash = strrchr(files->file[0].path, '/');

	return slash ? slash + 1 : files->file[0].path;
}

static int read_all(int fd, struct content *c, size_t size)
{
	size_t done = 0;
	ssize_t n;

	c->text = malloc(size + 1);
	if (!c->text)
		return -1;
	while (done < size && (n = read(fd, c->text + done, size - done)) > 0)
		done += n;
	c->size = done;
	return 0;
}

/* Not from a pipe or a device, for which the program would wait. */
static int read_file(const struct file *f, struct content *c)
{
	int err, fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (has_ending(f->path, ".json")) {
		if (fd >= 0)
			close(fd);
		return pmc_fail(EINVAL, "%s: JSON is converted once: type pmc-import-events %s",
				f->path, f->path);
	}
	if (fd < 0 || fstat(fd, &st)) {
		err = errno;
	} else if (!S_ISREG(st.st_mode) || st.st_size > MAX_FILE_SIZE) {
		err = EINVAL;
	} else {
		err = read_all(fd, c, st.st_size) ? ENOMEM : 0;
	}
	if (fd >= 0)
		close(fd);
	if (err)
		return pmc_fail(err, "cannot read the event table %s, which the index beside it names: %s",
				f->path, strerror(err));
	return 0;
}

static struct content *read_and_index(const struct file *f)
{
	struct content *c = calloc(1, sizeof(*c));

	if (!c) {
		pmc_fail_nomem();
		return NULL;
	}
	if (!read_file(f, c) && !event_index_build(&c->index, c->text, c->size, f->is_csv))
		return c;
	free_content(c);
	return NULL;
}

static const struct content *content_of(struct file *f)
{
	struct content *c = __atomic_load_n(&f->content, __ATOMIC_ACQUIRE), *other = NULL;

	if (c)
		return c;
	c = read_and_index(f);
	if (!c || __atomic_compare_exchange_n(&f->content, &other, c, 0, __ATOMIC_ACQ_REL,
					      __ATOMIC_ACQUIRE))
		return c;
	free_content(c);
	return other;
}

/* A copy for free() that ends with a zero. */
static char *copy_of(const struct index_line *line)
{
	size_t len = line->len;

	while (len && (line->text[len - 1] == '\r' || line->text[len - 1] == '\n'))
		len--;
	return strndup(line->text, len);
}

/* 1: found in *@f, 0: not found, -1: error. */
static int find(const struct core_type *ct, enum line_kind kind, const char *name,
		struct file **f, const struct index_line **line)
{
	struct event_files *files = ct->files;
	const struct content *c;
	int i;

	for (i = 0; files && i < files->nr; i++) {
		*f = &files->file[i];
		c = content_of(*f);
		if (!c)
			return -1;
		*line = event_index_find(&c->index, kind, name);
		if (*line)
			return 1;
	}
	return 0;
}

static int parse_event(const struct file *f, const struct index_line *line, char *copy,
		       struct event *row, const char **desc)
{
	char where[ERROR_LINE / 2];

	snprintf(where, sizeof(where), "%s, line %u", f->path, line->number);
	return line_event(copy, f->is_csv, row, desc, where);
}

/* The event of a fixed counter has no code. */
static int pin(struct event *ev, const struct event *row)
{
	if (row->place != EVENT_PINNED)
		return 0;
	if (ev->place == EVENT_PINNED && ev->slot != row->slot)
		return pmc_fail(EINVAL, "'%s' is counted by pmc%d and no other counter", ev->name, row->slot);
	ev->place = EVENT_PINNED;
	ev->slot = row->slot;
	return 0;
}

int event_files_encode(struct event *ev, const struct core_type *ct)
{
	const char *desc;
	struct event row;
	const struct index_line *line;
	struct file *f;
	char *copy;
	int rc = find(ct, LINE_EVENT, ev->base, &f, &line);

	if (rc <= 0)
		return rc;
	copy = copy_of(line);
	if (!copy)
		return pmc_fail_nomem();
	rc = parse_event(f, line, copy, &row, &desc);
	free(copy);
	if (!rc)
		rc = pin(ev, &row);
	if (rc)
		return rc;
	event_merge(ev, &row);
	return 1;
}

int event_files_know(const struct core_type *ct, const char *name)
{
	const struct index_line *line;
	struct file *f;

	return find(ct, LINE_EVENT, name, &f, &line) > 0;
}

/* Does a file before @f have this name? */
static int is_hidden(const struct event_files *files, const struct file *f,
		     enum line_kind kind, const char *name)
{
	const struct file *before;
	const struct content *c;

	for (before = files->file; before < f; before++) {
		c = __atomic_load_n(&before->content, __ATOMIC_ACQUIRE);
		if (c && event_index_find(&c->index, kind, name))
			return 1;
	}
	return 0;
}

typedef int (*line_fn)(void *arg, const struct file *f, const struct index_line *line, const char *name,
		       char *copy);

/* Call @fn for each line of a kind. Files that cannot be read are left out. */
static int each_line(const struct core_type *ct, enum line_kind kind, line_fn fn, void *arg)
{
	struct event_files *files = ct->files;
	const struct index_line *line, *end;
	const struct content *c;
	char name[EVENT_NAME], *copy;
	struct file *f;
	int rc = 0;

	for (f = files ? files->file : NULL; f && f < files->file + files->nr && !rc; f++) {
		c = content_of(f);
		if (!c)
			continue;
		end = c->index.lines + c->index.nr;
		for (line = c->index.lines; line < end && !rc; line++) {
			if (line->kind != kind ||
			    line_name(line->text, line->len, f->is_csv, name) != kind ||
			    is_hidden(files, f, kind, name))
				continue;
			copy = copy_of(line);
			rc = copy ? fn(arg, f, line, name, copy) : pmc_fail_nomem();
			free(copy);
		}
	}
	return rc;
}

struct event_visit {
	const struct core_type *ct;
	int (*fn)(void *arg, const struct pmc_event_info *ev);
	void *arg;
};

/* Lines that are wrong, and events that the core does not implement, are left out. */
static int visit_event(void *arg, const struct file *f, const struct index_line *line,
		       const char *name, char *copy)
{
	const struct event_visit *visit = arg;
	struct pmc_event_info info = { .name = name };
	struct event row;
	char raw[128];

	if (parse_event(f, line, copy, &row, &info.desc))
		return 0;
	if (visit->ct->family == FAMILY_ARM && !core_type_implements(visit->ct, row.code))
		return 0;
	event_print(&row, raw, sizeof(raw));
	info.raw = raw;
	return visit->fn(visit->arg, &info);
}

int event_files_each_event(const struct core_type *ct,
			   int (*fn)(void *arg, const struct pmc_event_info *ev), void *arg)
{
	struct event_visit visit = { ct, fn, arg };

	return each_line(ct, LINE_EVENT, visit_event, &visit);
}

/* metric NAME SCALE EXPRESSION GROUPS THRESHOLD DESCRIPTION */
static void parse_metric(char *line, struct file_metric *metric)
{
	const char *fields[7];

	line_split(line, fields, 7);
	metric->line = line;
	metric->name = fields[1];
	metric->scale = fields[2];
	metric->expr = fields[3];
	metric->groups = fields[4];
	metric->threshold = fields[5];
	metric->desc = fields[6];
}

int event_files_find_metric(const struct core_type *ct, const char *name,
			    struct file_metric *metric)
{
	const struct index_line *line;
	struct file *f;
	char *copy;
	int rc = find(ct, LINE_METRIC, name, &f, &line);

	if (rc <= 0)
		return rc;
	copy = copy_of(line);
	if (!copy)
		return pmc_fail_nomem();
	parse_metric(copy, metric);
	return 1;
}

struct metric_visit {
	int (*fn)(void *arg, const struct file_metric *metric);
	void *arg;
};

static int visit_metric(void *arg, const struct file *f, const struct index_line *line,
			const char *name, char *copy)
{
	const struct metric_visit *visit = arg;
	struct file_metric metric;

	(void)f;
	(void)line;
	(void)name;
	parse_metric(copy, &metric);
	return visit->fn(visit->arg, &metric);
}

int event_files_each_metric(const struct core_type *ct,
			    int (*fn)(void *arg, const struct file_metric *metric), void *arg)
{
	struct metric_visit visit = { fn, arg };

	return each_line(ct, LINE_METRIC, visit_metric, &visit);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * The measurements of a folder. measurements.csv has a line for each event of a run: a run's
 * lines are written together, and followed by a line "end"; what an interrupted command has
 * written of a run is ignored, and is removed when the folder is continued.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "additivity/results.h"
#include "common.h"
#include "node/folder.h"
#include "quote.h"

#define MEASUREMENTS_FILE "measurements.csv"
#define PROGRAMS_FILE "programs.txt"
#define HEAD "phase,program,run,event,count,seconds,joules\n"
#define END "end\n"

const char *const phase_names[PHASES] = { "scan", "cores", "memory" };

int results_event(struct results *r, const char *name)
{
	int i;

	for (i = 0; i < r->nr_events; i++)
		if (!strcmp(r->events[i], name))
			return i;
	r->events = must_have(realloc(r->events, (i + 1) * sizeof(*r->events)));
	r->events[i] = must_have(strdup(name));
	return r->nr_events++;
}

static void append(struct results *r, const struct result *result)
{
	/* Room grows by doubling. */
	if (!(r->nr & (r->nr - 1)) || !r->nr)
		r->all = must_have(realloc(r->all, (r->nr ? 2 * r->nr : 1) * sizeof(*r->all)));
	r->all[r->nr++] = *result;
}

/* "NAME",: the event's name at @text. Return: what follows it; NULL: there is none. */
static char *take_name(char *text, char **name)
{
	char *end;

	if (*text == '"') {
		*name = text + 1;
		end = strchr(text + 1, '"');
	} else {
		*name = text;
		end = strchr(text, ',');
	}
	if (!end)
		return NULL;
	text = *end == '"' ? end + 1 : end;
	if (*text != ',')
		return NULL;
	*end = '\0';
	return text + 1;
}

static int find_phase(const char *name)
{
	int i;

	for (i = 0; i < PHASES; i++)
		if (!strcmp(phase_names[i], name))
			return i;
	return -1;
}

static int parse(struct results *r, char *line, struct result *result)
{
	char phase[16], program[96], *name, *rest;
	int n = 0, at;

	if (sscanf(line, "%15[^,],%95[^,],%d,%n", phase, program, &result->run, &n) != 3 || !n)
		return -1;
	at = find_phase(phase);
	result->phase = at;
	result->program = programs_find(&r->programs, program);
	rest = take_name(line + n, &name);
	if (at < 0 || result->program < 0 || !rest)
		return -1;
	result->seconds = result->joules = NAN;
	if (sscanf(rest, "%lf,%lf,%lf", &result->count, &result->seconds, &result->joules) < 1)
		return -1;
	result->event = results_event(r, name);
	return 0;
}

/* Return: the length of the part that has whole runs */
static long load(struct results *r, FILE *f, const char *path)
{
	size_t size = 0, whole = 0;
	struct result result;
	char *line = NULL;
	long length = 0;
	int number = 0;

	while (getline(&line, &size, f) >= 0) {
		number++;
		if (number == 1) {
			if (strcmp(line, HEAD))
				bad("%s: its first line is not that of measurements", path);
			length = ftell(f);
		} else if (!strcmp(line, END)) {
			whole = r->nr;
			length = ftell(f);
		} else if (!strchr(line, '\n')) {
			break;
		} else if (parse(r, line, &result)) {
			bad("%s, line %d: it is no measurement of these programs", path, number);
		} else {
			append(r, &result);
		}
	}
	free(line);
	r->nr = whole;
	return length;
}

static void read_parts(struct results *r, const char *path)
{
	char *about = folder_file(path, ABOUT_FILE), *programs = folder_file(path, PROGRAMS_FILE);
	char *name = folder_file(path, MEASUREMENTS_FILE);
	long length;

	if (access(about, R_OK) || access(programs, R_OK))
		bad("%s has no measurements: `pmc-additivity run` makes them", path);
	about_read(&r->about, about);
	programs_read(&r->programs, programs);
	if (!r->f)
		r->f = fopen(name, "re");
	if (!r->f)
		bad("cannot read %s: %s", name, strerror(errno));
	rewind(r->f);
	length = load(r, r->f, name);
	fseek(r->f, length, SEEK_SET);
	free(about);
	free(programs);
	free(name);
}

void results_read(struct results *r, const char *path)
{
	*r = (struct results){ .path = must_have(strdup(path)) };
	read_parts(r, path);
}

static void check_same(const struct results *r, const struct about *about,
		       const struct programs *programs)
{
	const char *have;
	int i;

	for (i = 0; i < about->nr; i++) {
		have = about_get(&r->about, about->facts[i].key);
		if (have && strcmp(have, about->facts[i].text))
			bad("%s has measurements with %s '%s', not '%s': name another folder", r->path,
			    about->facts[i].key, have, about->facts[i].text);
	}
	for (i = 0; i < programs->nr; i++)
		if (i >= r->programs.nr || strcmp(programs->all[i].name, r->programs.all[i].name) ||
		    strcmp(programs->all[i].line ? programs->all[i].line : "",
			   r->programs.all[i].line ? r->programs.all[i].line : "") ||
		    memcmp(programs->all[i].parts, r->programs.all[i].parts, sizeof(programs->all[i].parts)))
			break;
	if (i < programs->nr || programs->nr != r->programs.nr)
		bad("%s has measurements of other programs: name another folder", r->path);
}

/* The file is replaced as a whole: a command that ends meanwhile leaves no part of it. */
static void write_facts(const struct results *r, const struct about *about)
{
	char *name = folder_file(r->path, ABOUT_FILE), *new = folder_file(r->path, ABOUT_FILE ".new");

	about_write(about, new);
	if (rename(new, name))
		bad("cannot write %s: %s", name, strerror(errno));
	free(name);
	free(new);
}

/* Facts that the folder does not have */
static void add_facts(struct results *r, const struct about *about)
{
	int i, nr = r->about.nr;

	for (i = 0; i < about->nr; i++)
		about_set(&r->about, about->facts[i].key, "%s", about->facts[i].text);
	if (r->about.nr > nr)
		write_facts(r, &r->about);
}

/* A file that has no measurement yet: it is of a command that was ended before about.txt. */
static int is_begun(const char *name)
{
	struct stat st;

	return !stat(name, &st) && st.st_size <= (off_t)strlen(HEAD);
}

/*
 * Open the measurements for this process alone. Its children do not inherit such a lock, and it is
 * lost if the process closes the file, however often that is open. Not all file systems have locks.
 */
static void open_alone(struct results *r, const char *name, int is_new)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open(name, O_RDWR | O_CLOEXEC | (is_new ? O_CREAT : 0), 0666);

	r->f = fd < 0 ? NULL : fdopen(fd, "r+");
	if (!r->f)
		bad("cannot write %s: %s", name, strerror(errno));
	if (fcntl(fd, F_SETLK, &lock) && (errno == EAGAIN || errno == EACCES))
		bad("%s is being measured by another pmc-additivity: wait for its end, or name another folder", r->path);
}

static void make(struct results *r, const struct about *about, const struct programs *programs)
{
	char *name = folder_file(r->path, PROGRAMS_FILE);

	if (ftruncate(fileno(r->f), 0))
		bad("cannot write %s: %s", r->path, strerror(errno));
	fputs(HEAD, r->f);
	written(r->f, r->path);
	programs_write(programs, name);
	free(name);
	/* Last, so that a folder with this file has all of them. */
	write_facts(r, about);
}

void results_open(struct results *r, const char *path, const struct about *about,
		  const struct programs *programs)
{
	char *name = folder_file(path, ABOUT_FILE), *measurements = folder_file(path, MEASUREMENTS_FILE);
	int is_new = access(name, F_OK);

	*r = (struct results){ .path = must_have(strdup(path)) };
	if (is_new && !is_begun(measurements))
		folder_make(path);
	open_alone(r, measurements, is_new);
	/* Another command may have made the folder since. */
	if (access(name, F_OK))
		make(r, about, programs);
	free(name);
	free(measurements);
	read_parts(r, path);
	check_same(r, about, programs);
	add_facts(r, about);
	if (ftruncate(fileno(r->f), ftell(r->f)))
		bad("cannot write %s: %s", path, strerror(errno));
}

void results_free(struct results *r)
{
	int i;

	for (i = 0; i < r->nr_events; i++)
		free(r->events[i]);
	free(r->events);
	free(r->all);
	free(r->path);
	about_free(&r->about);
	programs_free(&r->programs);
	fclose(r->f);
}

void results_add(struct results *r, enum phase phase, int program, int run, const int *numbers,
		 const struct measurement *m)
{
	struct result result = { phase, program, run, 0, 0, m->seconds, m->joules };
	int i;

	for (i = 0; i < m->nr; i++) {
		result.event = numbers[i];
		result.count = m->counts[i];
		append(r, &result);
		fprintf(r->f, "%s,%s,%d,", phase_names[phase], r->programs.all[program].name, run);
		print_csv_string(r->f, r->events[numbers[i]]);
		fprintf(r->f, ",%llu", (unsigned long long)m->counts[i]);
		if (i)
			fputs(",,", r->f);
		else
			fprintf(r->f, ",%.9f,%.6f", m->seconds, m->joules);
		fputc('\n', r->f);
		result.seconds = result.joules = NAN;
	}
	fputs(END, r->f);
	written(r->f, r->path);
	fdatasync(fileno(r->f));
}

int results_counts(const struct results *r, enum phase phase, int program, int event, double **values)
{
	int n = 0;
	size_t i;

	*values = new_array(results_nr(r, phase, program, event), sizeof(**values));
	for (i = 0; i < r->nr; i++)
		if (r->all[i].phase == phase && r->all[i].program == program && r->all[i].event == event)
			(*values)[n++] = r->all[i].count;
	return n;
}

int results_nr(const struct results *r, enum phase phase, int program, int event)
{
	int n = 0;
	size_t i;

	for (i = 0; i < r->nr; i++)
		n += r->all[i].phase == phase && r->all[i].program == program && r->all[i].event == event;
	return n;
}

int results_cost(const struct results *r, enum phase phase, int program, int joules, double **values)
{
	double value;
	int n = 0;
	size_t i;

	*values = new_array(r->nr, sizeof(**values));
	for (i = 0; i < r->nr; i++) {
		value = joules ? r->all[i].joules : r->all[i].seconds;
		if (r->all[i].phase == phase && r->all[i].program == program && !isnan(value))
			(*values)[n++] = value;
	}
	return n;
}

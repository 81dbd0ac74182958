// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack doctor: does counting work here, and what to type if it does not. One line for
 * each finding, its remedy below it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common.h"
#include "doctor.h"
#include "verb.h"

#define WIDTH 80
#define INDENT 19	/* of texts, behind a finding's and a check's name */
#define REMEDY_INDENT 6

static const char help[] =
"Usage: pmctrack doctor\n"
"Check whether counting works on this machine, for this user. Each check prints a line:\n"
"\n"
"  ok    it works\n"
"  note  it works; there is something to know about it\n"
"  FAIL  it does not work; the next line says what to do\n"
"\n"
"  -h, --help                show this text\n"
"\n"
"The exit status is 0 if no check fails, 1 if one does, 2 after a wrong option.\n";

static const struct check {
	const char *name;
	void (*check)(struct doctor *d);
} checks[] = {
#define ROW(name, check) { name, check },
	DOCTOR_CHECKS(ROW)
#undef ROW
};

/* Words of @text from column @column on; further lines begin at column @indent. */
static void print_words(FILE *f, const char *text, int column, int indent)
{
	const int start = column;
	size_t len;

	for (text += strspn(text, " "); *text; text += len + strspn(text + len, " ")) {
		len = strcspn(text, " ");
		if (column > start && column + 1 + (int)len > WIDTH) {
			fprintf(f, "\n%*s", indent, "");
			column = indent;
		} else if (column > start) {
			fputc(' ', f);
			column++;
		}
		fprintf(f, "%.*s", (int)len, text);
		column += len;
	}
	fputc('\n', f);
}

void doctor_say(struct doctor *d, enum finding finding, const char *fmt, ...)
{
	static const char *const names[] = { [OK] = "ok", [NOTE] = "note", [FAIL] = "FAIL" };
	va_list args;
	char *text;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		bad("out of memory");
	va_end(args);
	fprintf(d->f, "%-5s %-12s ", names[finding], d->check);
	print_words(d->f, text, INDENT, INDENT);
	free(text);
	d->failed |= finding == FAIL;
}

/* A command is not broken, so that it can be copied. */
void doctor_remedy(struct doctor *d, const char *fmt, ...)
{
	va_list args;

	fprintf(d->f, "%*s-> ", REMEDY_INDENT, "");
	va_start(args, fmt);
	vfprintf(d->f, fmt, args);
	va_end(args);
	fputc('\n', d->f);
}

static void print_head(struct doctor *d)
{
	char *arch = doctor_text(d, "proc/sys/kernel/arch"), *cpus = doctor_text(d, "sys/devices/system/cpu/online");
	struct utsname u;

	if (!arch && !uname(&u))
		arch = strdup(u.machine);
	fprintf(d->f, "pmctrack " PMC_VERSION " on Linux %s, %s, CPUs %s\n", d->release,
		arch ? arch : "unknown", cpus ? cpus : "unknown");
	free(arch);
	free(cpus);
}

int doctor_examine(struct doctor *d)
{
	char *release = doctor_text(d, "proc/sys/kernel/osrelease");
	size_t i;

	snprintf(d->release, sizeof(d->release), "%s", release ? release : "unknown");
	free(release);
	print_head(d);
	for (i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		d->check = checks[i].name;
		checks[i].check(d);
	}
	return d->failed;
}

static void parse(int argc, char **argv)
{
	static const struct option options[] = { { "help", no_argument, NULL, 'h' }, { 0 } };
	int opt;

	optind = 0;
	argv[0] = "pmctrack doctor";
	while ((opt = getopt_long(argc, argv, "+h", options, NULL)) != -1) {
		if (opt != 'h')
			exit(2);
		fputs(help, stdout);
		exit(0);
	}
	if (argv[optind])
		bad("doctor: what is '%s'? It takes no arguments", argv[optind]);
}

int doctor_main(int argc, char **argv)
{
	const char *root = secure_getenv("PMCTRACK_DOCTOR_ROOT");
	struct doctor d = { .root = root ? root : "", .f = stdout, .probes = &doctor_probes };
	pmc_machine_t *machine;
	int status;

	parse(argc, argv);
	machine = pmc_machine_open();
	d.machine = machine;
	d.machine_error = machine ? "" : strdupa(pmc_last_error());
	status = doctor_examine(&d);
	pmc_machine_close(machine);
	written(stdout, "standard output");
	return status;
}

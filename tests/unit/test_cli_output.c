// SPDX-License-Identifier: GPL-2.0
/* The file of a report. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib.h"
#include "output.h"
#include "wrap.h"

static char text[256];

static void put(const char *name, const char *what)
{
	FILE *f = fopen(name, "w");

	fputs(what, f);
	fclose(f);
}

static const char *content(const char *name)
{
	FILE *f = fopen(name, "r");

	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

static FILE *opened(const char *name)
{
	struct options o = { .output = name };

	return output_open(&o);
}

/* A program's standard output is its own. */
static void test_default_output(void **state)
{
	char *command[] = { "true", NULL };
	struct options o = { .command = command };
	int p[2], saved = dup(2);
	FILE *f;

	assert_int_equal(pipe(p), 0);
	dup2(p[1], 2);
	f = output_open(&o);
	assert_string_equal(output_name(&o), "standard error");
	fputs("report", f);
	fclose(f);
	dup2(saved, 2);
	close(saved);
	assert_int_equal(read(p[0], text, sizeof(text)), 6);
	close(p[0]);
	close(p[1]);
	o.output = "-";
	assert_ptr_equal(output_open(&o), stdout);
	assert_string_equal(output_name(&o), "standard output");
	o = (struct options){ .syswide = 1 };
	assert_ptr_equal(output_open(&o), stdout);
}

/* A file keeps its contents until a report begins. */
static void test_output(void **state)
{
	char name[] = "/tmp/pmctrack-report-XXXXXX", link[64];
	FILE *f;
	int fd;

	fd = mkstemp(name);
	put(name, "of yesterday\n");
	f = opened(name);
	assert_string_equal(content(name), "of yesterday\n");
	assert_int_equal(output_clear(f), 0);
	assert_string_equal(content(name), "");
	fputs("new\n", f);
	fclose(f);
	assert_string_equal(content(name), "new\n");

	f = opened("/dev/null");
	assert_int_equal(output_clear(f), 0);
	fclose(f);
	assert_null(opened("/nonexistent/file"));
	assert_int_equal(errno, ENOENT);
	assert_null(opened("/tmp"));
	assert_int_equal(errno, EISDIR);
	close(fd);
	unlink(name);

	snprintf(link, sizeof(link), "%s.fifo", name);
	assert_int_equal(mkfifo(link, 0600), 0);
	fd = open(link, O_RDWR);
	f = opened(link);
	assert_int_equal(output_clear(f), 0);
	fclose(f);
	close(fd);
	unlink(link);
}

/* A file that others write to as well, as with >>file, is not emptied. */
static void test_shared_output(void **state)
{
	char name[] = "/tmp/pmctrack-report-XXXXXX";
	int fd = mkstemp(name), saved = dup(2);
	FILE *f;

	put(name, "of yesterday\n");
	dup2(fd, 2);
	lseek(2, 0, SEEK_END);
	f = opened("/dev/stderr");
	assert_int_equal(output_clear(f), 0);
	assert_int_equal(write(2, "theirs\n", 7), 7);
	fputs("ours\n", f);
	fclose(f);
	dup2(saved, 2);
	close(saved);
	assert_string_equal(content(name), "of yesterday\ntheirs\nours\n");
	close(fd);
	unlink(name);
}

static void wrapped(const char *line, int at, int indent, int width, const char *wanted)
{
	char buf[256];
	FILE *f = fmemopen(buf, sizeof(buf), "w");

	print_wrapped(f, line, at, indent, width);
	fclose(f);
	assert_string_equal(buf, wanted);
}

/* Lines end between words; a word that is wider than the terminal has a line of its own. */
static void test_wrapped(void **state)
{
	wrapped("one two three", 0, 2, 0, "one two three\n");
	wrapped("one two three", 0, 2, 7, "one two\n  three\n");
	wrapped("one two three", 0, 2, 6, "one\n  two\n  three\n");
	wrapped("one two-three four", 5, 4, 8, "one\n    two-three\n    four\n");
	wrapped("one", 9, 4, 8, "\n    one\n");
	wrapped("", 3, 4, 8, "\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default_output),
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_shared_output),
		cmocka_unit_test(test_wrapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/* Pages for a browser, of invented samples. tests/host/page.sh opens them. */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli_report.h"
#include "verb.h"

static char folder[] = "/tmp/test-page-XXXXXX";

static void write_text(const char *name, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int make_dygraphs(void **state)
{
	assert_non_null(mkdtemp(folder));
	write_text("dygraph.min.js", "/* dygraphs */\n");
	write_text("dygraph.min.css", "/* its style */\n");
	setenv("PMCTRACK_DYGRAPHS", folder, 1);
	return chdir(folder);
}

static int remove_folder(void **state)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static const char *behind(const char *text, const char *part)
{
	const char *s = strstr(text, part);

	if (!s)
		fail_msg("no\n%s\nin\n%s", part, text);
	return s + strlen(part);
}

/* The parts are in their order, and the report is what JSON is. */
static void parts_in_order(const char *text)
{
	assert_ptr_equal(strstr(text, "<!DOCTYPE html>"), text);
	text = behind(text, "<style>\n/* its style */\n");
	text = behind(text, "</style>\n<script>\n/* dygraphs */\n</script>\n");
	text = behind(text, "<script type=\"application/json\" id=\"run\">\n{\n\"command\": [");
	text = behind(text, "\"counts\": {\"instr\": 1961001132, \"cycles\": 110634}");
	text = behind(text, "\n}\n</script>\n<script>\n");
	text = behind(text, "function parseFormula(");
	text = behind(text, "function readRun(");
	text = behind(text, "function phasesOf(");
	text = behind(text, "function followRuns(");
	text = behind(text, "\n	followRuns();\n</script>\n</body>\n</html>\n");
	assert_string_equal(text, "");
}

static void test_page(void **state)
{
	setup("biglittle", "instr,cycles", NULL);
	run(&report_page);
	parts_in_order(x.text);
	teardown();
}

static char *evil[] = { "./app", "</script><script>alert(1)</script>", NULL };

/* Nothing that a program chooses ends the report in the page. */
static void test_names(void **state)
{
	setup("biglittle", "instr,cycles", NULL);
	x.o.command = evil;
	run(&report_page);
	has("\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\"");
	assert_null(strstr(x.text, "alert(1)</script>"));
	teardown();
}

/* pmctrack report WORDS: its exit status; what it says is in the file err */
static int report(const char *word)
{
	char *argv[] = { "report", strdup(word), NULL };
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (!freopen("err", "w", stderr))
			_exit(1);
		_exit(report_main(2, argv));
	}
	waitpid(pid, &status, 0);
	free(argv[1]);
	return WEXITSTATUS(status);
}

static char *contents(const char *name)
{
	FILE *f = fopen(name, "r");
	char *text = NULL;
	size_t size = 0;

	assert_non_null(f);
	if (getdelim(&text, &size, '\0', f) < 0)
		text[0] = '\0';
	fclose(f);
	return text;
}

static void refused(const char *word, const char *part)
{
	char *text;

	assert_int_equal(report(word), 2);
	text = contents("err");
	behind(text, part);
	free(text);
}

/* A recorded run; in old ones, < stands for itself. */
static void test_recorded(void **state)
{
	char *text, *s;

	setup("biglittle", "instr,cycles", NULL);
	x.o.command = evil;
	run(&report_json);
	while ((s = strstr(x.text, "\\u003c"))) {
		*s = '<';
		memmove(s + 1, s + 6, strlen(s + 6) + 1);
	}
	write_text("run.json", x.text);
	assert_int_equal(report("run.json"), 0);
	text = contents("run.html");
	parts_in_order(text);
	behind(text, "\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\"");
	free(text);
	/* As if the recorder was killed: the last sample is whole. */
	s = strstr(x.text, "\n],\n\"totals\": [");
	assert_non_null(s);
	assert_int_equal(s[-1], '}');
	*s = '\0';
	write_text("samples.json", x.text);
	refused("samples.json", "samples.json is no report of pmctrack --format=json, or it is not whole");
	x.text[strlen(x.text) / 2] = '\0';
	write_text("half.json", x.text);
	refused("half.json", "half.json is no report of pmctrack --format=json, or it is not whole");
	assert_int_equal(access("half.html", F_OK), -1);
	teardown();
}

static void test_refused(void **state)
{
	setup("biglittle", "instr,cycles", NULL);
	x.o.aggregate = 1;
	run(&report_json);
	write_text("sums.json", x.text);
	refused("sums.json", "sums.json has sums only (-A)");
	refused("nothing.json", "cannot read nothing.json: No such file");
	setenv("PMCTRACK_DYGRAPHS", "/nonexistent", 1);
	write_text("other.json", "{ \"samples\": []\n}");
	refused("other.json", "install Debian's package libjs-dygraphs");
	setenv("PMCTRACK_DYGRAPHS", folder, 1);
	teardown();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, make_dygraphs, remove_folder);
}

// SPDX-License-Identifier: GPL-2.0
/* A page for a browser that shows a report in JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "page.h"

/* Where Debian's libjs-dygraphs has its files */
#define DYGRAPHS "/usr/share/javascript/dygraphs"

/* A file of pmctrack-cli/page, as @NAME_start to @NAME_end */
#define PART(name, file) \
	extern const char name##_start[], name##_end[]; \
	__asm__(".pushsection .rodata\n" \
		#name "_start:\n\t.incbin \"" file "\"\n" #name "_end:\n\t.popsection\n")

PART(page_head, "head.html");
PART(page_body, "body.html");
PART(page_style, "page.css");
PART(page_formula, "formula.js");
PART(page_run, "run.js");
PART(page_phases, "phases.js");
PART(page_live, "live.js");
PART(page_script, "page.js");

#define PRINT(f, name) fwrite(name##_start, name##_end - name##_start, 1, f)

static FILE *open_dygraphs(const char *name, char *path, size_t size)
{
	const char *folder = getenv("PMCTRACK_DYGRAPHS");

	snprintf(path, size, "%s/%s", folder ? folder : DYGRAPHS, name);
	return fopen(path, "re");
}

void page_check(void)
{
	char path[512];
	FILE *f = open_dygraphs("dygraph.min.js", path, sizeof(path));

	if (!f)
		bad("a page's charts are drawn by dygraphs, and %s is not there: install Debian's package libjs-dygraphs", path);
	fclose(f);
}

static void copy_dygraphs(const char *name, FILE *f)
{
	char path[512], buf[8192];
	FILE *from = open_dygraphs(name, path, sizeof(path));
	size_t n;

	if (!from)
		bad("cannot read %s: %s", path, strerror(errno));
	while ((n = fread(buf, 1, sizeof(buf), from)))
		fwrite(buf, 1, n, f);
	if (ferror(from))
		bad("cannot read %s: %s", path, strerror(errno));
	fclose(from);
}

void page_begin(FILE *f)
{
	PRINT(f, page_head);
	fputs("<style>\n", f);
	copy_dygraphs("dygraph.min.css", f);
	PRINT(f, page_style);
	fputs("</style>\n<script>\n", f);
	copy_dygraphs("dygraph.min.js", f);
	fputs("</script>\n", f);
	PRINT(f, page_body);
	fputs("<script type=\"application/json\" id=\"run\">\n", f);
}

void page_end(FILE *f)
{
	fputs("</script>\n<script>\n", f);
	PRINT(f, page_formula);
	fputs("</script>\n<script>\n", f);
	PRINT(f, page_run);
	fputs("</script>\n<script>\n", f);
	PRINT(f, page_phases);
	fputs("</script>\n<script>\n", f);
	PRINT(f, page_live);
	fputs("</script>\n<script>\n", f);
	PRINT(f, page_script);
	fputs("</script>\n</body>\n</html>\n", f);
}

// SPDX-License-Identifier: GPL-2.0
/* Forms of a report: which one --format, --plot and the name of the file ask for. */
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "report.h"
#include "report_format.h"

#define FORM_ADDRESS(form) &form,
static const struct report_ops *const forms[] = { REPORT_FORMS(FORM_ADDRESS) };
#undef FORM_ADDRESS

#define NR_FORMS ((int)(sizeof(forms) / sizeof(forms[0])))

/* "table, csv, json or perfetto" */
static void print_names(char *buf, size_t size)
{
	const char *before = NULL;
	size_t len = 0;
	int i, n = 0;

	for (i = 0; i < NR_FORMS; i++) {
		if (!forms[i]->name)
			continue;
		if (before && len < size)
			len += snprintf(buf + len, size - len, "%s%s", n++ ? ", " : "", before);
		before = forms[i]->name;
	}
	if (len < size)
		snprintf(buf + len, size - len, "%s%s", n ? " or " : "", before);
}

const struct report_ops *format_by_name(const char *text)
{
	char names[100];
	int i;

	for (i = 0; i < NR_FORMS; i++)
		if (forms[i]->name && !strcmp(text, forms[i]->name))
			return forms[i];
	print_names(names, sizeof(names));
	bad("--format takes %s, not '%s'", names, text);
}

/* Does a text end with one of some endings? */
static int ends_with(const char *text, const char *endings)
{
	size_t n, len = strlen(text);

	for (; *endings; endings += n + !!endings[n]) {
		n = strcspn(endings, " ");
		if (len > n && !memcmp(text + len - n, endings, n))
			return 1;
	}
	return 0;
}

void format_choose(struct options *o)
{
	int i;

	if (o->format)
		return;
	o->format = forms[0];
	for (i = 0; o->output && i < NR_FORMS; i++)
		if (forms[i]->endings && ends_with(o->output, forms[i]->endings) &&
		    (forms[i]->plots || !o->plot))
			o->format = forms[i];
}

void format_check(const struct options *o)
{
	const struct report_ops *form = o->format;

	if (o->plot && form != &report_table && !form->plots)
		bad("--plot draws on a terminal: leave out --format");
	if (o->plot && o->aggregate)
		bad("--plot needs the samples that -A leaves out: choose one");
	if (form->needs_samples && o->aggregate)
		bad("%s needs the samples that -A leaves out: choose one", form->needs_samples);
	if (form->check)
		form->check(o->output);
}

// SPDX-License-Identifier: GPL-2.0
/* A model of energy as a metric of pmctrack. */
#include <ctype.h>
#include <string.h>

#include "additivity/metric_model.h"
#include "common.h"

/* The encoding of events that the kernel counts begins so: they have no modes. */
#define SOFTWARE "sw="

static int is_software(const struct metric_model *m, const char *event)
{
	pmc_config_t *config;
	int id, is;

	if (!m->machine)
		return 0;
	/* Each core type of each machine has these events. */
	id = pmc_machine_find_core_type(m->machine, m->core_type);
	config = must_have(pmc_config_new(m->machine));
	is = !pmc_config_add(config, event, id < 0 ? 0 : id, 0) &&
	     !strncmp(pmc_config_raw(config, 0), SOFTWARE, strlen(SOFTWARE));
	pmc_config_free(config);
	return is;
}

static int has_mode(const char *event)
{
	static const char *const modes[] = { "u", "k", "uk", "ku", "usr", "os" };
	const char *slash = strrchr(event, '/');
	size_t i, len;

	/* perf's form, as cpu/cycles/u */
	if (slash && (slash[1] == 'u' || slash[1] == 'k'))
		return 1;
	while ((event = strchr(event, ':'))) {
		len = strcspn(++event, ":");
		for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
			if (len == strlen(modes[i]) && !strncmp(event, modes[i], len))
				return 1;
	}
	return 0;
}

static const char *mode_of(const struct metric_model *m, const char *event)
{
	return m->user && !has_mode(event) && !is_software(m, event) ? ":u" : "";
}

/* In expressions, - and / are operators where no backslash is before them. */
static void print_name(FILE *f, const char *event)
{
	for (; *event; event++) {
		if (!isalnum((unsigned char)*event) && !strchr("_.:?", *event))
			fputc('\\', f);
		fputc(*event, f);
	}
}

void metric_model_write(FILE *f, const struct metric_model *m)
{
	int is_package = !strcmp(m->domain, "package"), i;

	fprintf(f, "# Dynamic energy on core type %s, estimated by pmc-additivity\nenergy%s%s[%%.6f J]=", m->core_type,
		is_package ? "" : "_", is_package ? "" : m->domain);
	for (i = 0; i < m->nr; i++) {
		fprintf(f, "%s%.9g*", i ? "+" : "", m->joules[i]);
		print_name(f, m->events[i]);
		fputs(mode_of(m, m->events[i]), f);
	}
	fputc('\n', f);
}

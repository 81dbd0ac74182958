// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "format_description.h"
#include "session_config.h"

static void print_set(FILE *f, const pmc_config_t *config, int core_type, int set)
{
	int i;

	fprintf(f, "%s%d.%d=", ftell(f) ? " " : "", core_type, set);
	for (i = 0; i < pmc_config_nr_events(config, core_type, set); i++)
		fprintf(f, "%s%s", i ? "," : "", pmc_config_event(config, core_type, set, i));
}

char *description_print(const pmc_config_t *config, int nr_core_types)
{
	const char *virtuals = config_virtual_names(config);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int id, set;

	if (!f)
		return NULL;
	for (id = 0; id < nr_core_types; id++)
		for (set = 0; set < pmc_config_nr_sets(config, id); set++)
			print_set(f, config, id, set);
	if (virtuals)
		fprintf(f, "%svirtual=%s", ftell(f) ? " " : "", virtuals);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	if (size > DESCRIPTION_MAX)
		*text = '\0';
	return text;
}

const char *pmc_description_names(const char *description, int core_type, int set, size_t *len)
{
	char key[40] = "virtual=";
	size_t key_len;

	if (core_type >= 0)
		snprintf(key, sizeof(key), "%d.%d=", core_type, set);
	key_len = strlen(key);
	while (*description) {
		*len = strcspn(description, " ");
		if (!strncmp(description, key, key_len)) {
			*len -= key_len;
			return description + key_len;
		}
		description += *len;
		description += strspn(description, " ");
	}
	return NULL;
}

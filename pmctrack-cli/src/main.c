// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack: count performance events of programs, processes and the machine.
 *
 * The first argument may be a verb. A program that has the name of a verb is run by its
 * path, as /usr/bin/stat, or after an option, as in `pmctrack -- stat`.
 */
#include <stddef.h>
#include <string.h>

#include "remote.h"
#include "verb.h"

#define VERB_ROW(name) { #name, name##_main },
static const struct verb verbs[] = { VERBS(VERB_ROW) };
#undef VERB_ROW

int main(int argc, char **argv)
{
	size_t i;

	remote_run(argv);
	for (i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].run(argc - 1, argv + 1);
	return run_main(argc, argv);
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Included by every test of the library and the commands. */
#ifndef PMC_TESTS_LIB_H
#define PMC_TESTS_LIB_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pmctrack.h"

/* NAN is equal to nothing here; cmocka's macro takes it for equal to all numbers. */
#undef assert_float_equal
#define assert_float_equal(a, b, epsilon) do {						\
	double a_ = (a), b_ = (b), difference_ = a_ > b_ ? a_ - b_ : b_ - a_;		\
											\
	if (!(difference_ <= (epsilon)))						\
		fail_msg("%s is %.12g, expected %.12g", #a, a_, b_);			\
} while (0)

/* Tables in files are not read: neither installed ones nor the user's. */
__attribute__((constructor)) static void no_event_files(void)
{
	setenv("PMCTRACK_EVENTS", "", 1);
}

/* From now on the library reads the files in info/NAME instead of the kernel module's. */
static inline void be_machine(const char *name)
{
	char dir[512];

	snprintf(dir, sizeof(dir), "%s/%s", INFO_DIR, name);
	setenv("PMCTRACK_PROC", dir, 1);
}

/* The machine that info/NAME/info describes. */
static inline pmc_machine_t *open_machine(const char *name)
{
	pmc_machine_t *machine;

	be_machine(name);
	machine = pmc_machine_open();
	unsetenv("PMCTRACK_PROC");
	if (!machine)
		fail_msg("%s: %s", name, pmc_last_error());
	return machine;
}

/* Check that the last error is one line that contains @part. */
static inline void check_error(const char *part)
{
	const char *line = pmc_last_error();

	if (!strstr(line, part))
		fail_msg("no '%s' in '%s'", part, line);
	assert_null(strchr(line, '\n'));
}

#endif

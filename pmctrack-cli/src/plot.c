// SPDX-License-Identifier: GPL-2.0
/* pmctrack plot: the program pmctrack-plot, which is built where json-c is. */
#include "verb.h"
#include "verb_program.h"

int plot_main(int argc, char **argv)
{
	(void)argc;
	verb_program("pmctrack-plot", "libjson-c-dev", argv);
}

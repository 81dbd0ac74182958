// SPDX-License-Identifier: GPL-2.0
/* pmctrack web: the program pmctrack-web, which is built where libmicrohttpd is. */
#include "verb.h"
#include "verb_program.h"

int web_main(int argc, char **argv)
{
	(void)argc;
	verb_program("pmctrack-web", "libmicrohttpd-dev", argv);
}

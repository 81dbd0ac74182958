// SPDX-License-Identifier: GPL-2.0
/* PAPI's error codes: their names, and what to do. */
#include <strings.h>

#include <papi.h>

#include "error_table.h"

#define ROW(code, meaning, remedy) { code, #code, meaning, remedy }

const struct error_row error_table[] = {
	ROW(PAPI_OK, "no error", "nothing is to be done"),
	ROW(PAPI_EINVAL, "an argument is wrong",
	    "check the values that the call was given"),
	ROW(PAPI_ENOMEM, "there is no memory",
	    "free memory, or raise the limits of ulimit -v and ulimit -l"),
	ROW(PAPI_ESYS, "a system call failed",
	    "errno has the cause; pmctrack doctor says whether counting works here"),
	ROW(PAPI_ECMP, "the component cannot do it",
	    "pmc-hwinfo lists the components and what they can do"),
	ROW(PAPI_ECLOST, "the counters were taken away",
	    "start the EventSet again, and look for another program that counts"),
	ROW(PAPI_EBUG, "the library is at fault",
	    "report it, with the command or program that shows it"),
	ROW(PAPI_ENOEVNT, "there is no such event",
	    "pmc-avail WORD lists events with a word in their name or description"),
	ROW(PAPI_ECNFLCT, "no counter is left for the event",
	    "count fewer events at a time; pmc-chooser EVENT... lists what fits beside events"),
	ROW(PAPI_ENOTRUN, "the EventSet does not count",
	    "call PAPI_start first"),
	ROW(PAPI_EISRUN, "the EventSet, or another one of the thread, counts",
	    "call PAPI_stop first"),
	ROW(PAPI_ENOEVST, "there is no such EventSet",
	    "call PAPI_create_eventset first"),
	ROW(PAPI_ENOTPRESET, "the event is no preset event",
	    "pmc-avail -p lists the preset events"),
	ROW(PAPI_ENOCNTR, "the machine has no counters",
	    "in a virtual machine, enable the virtual PMU; pmctrack doctor says more"),
	ROW(PAPI_EMISC, "an error without a code of its own",
	    "pmctrack doctor says whether counting works here"),
	ROW(PAPI_EPERM, "not permitted",
	    "load the kernel module (modprobe pmctrack), lower kernel.perf_event_paranoid, or "
	    "be root"),
	ROW(PAPI_ENOINIT, "PAPI is not initialized",
	    "call PAPI_library_init first"),
	ROW(PAPI_ENOCMP, "there is no such component",
	    "pmc-hwinfo lists the components"),
	ROW(PAPI_ENOSUPP, "not supported here",
	    "pmc-hwinfo lists what the machine has"),
	ROW(PAPI_ENOIMPL, "not implemented",
	    "libpmc/papi/README.md lists the calls that are served"),
	ROW(PAPI_EBUF, "the buffer is too small",
	    "give the call a larger buffer"),
	ROW(PAPI_EINVAL_DOM, "the EventSet cannot count in this domain",
	    "choose another domain: user, kernel or all"),
	ROW(PAPI_EATTR, "an attribute of the event is missing or wrong",
	    "pmc-avail -e EVENT lists the attributes of an event"),
	ROW(PAPI_ECOUNT, "there are too many events or attributes",
	    "count fewer events at a time"),
	ROW(PAPI_ECOMBO, "these features exclude each other",
	    "leave out one of them"),
	ROW(PAPI_ECMP_DISABLED, "the component is disabled",
	    "pmc-hwinfo says why components are disabled"),
#ifdef PAPI_EDELAY_INIT
	ROW(PAPI_EDELAY_INIT, "the component is not initialized yet",
	    "use an event of the component: that initializes it"),
#endif
#ifdef PAPI_EMULPASS
	ROW(PAPI_EMULPASS, "the event needs several runs of the program",
	    "count fewer events at a time"),
#endif
#ifdef PAPI_PARTIAL
	ROW(PAPI_PARTIAL, "a part of the component is disabled",
	    "pmc-hwinfo says why components are disabled"),
#endif
};

const size_t error_table_nr = sizeof(error_table) / sizeof(error_table[0]);

const struct error_row *error_find(int code)
{
	size_t i;

	for (i = 0; i < error_table_nr; i++)
		if (error_table[i].code == code)
			return &error_table[i];
	return NULL;
}

const struct error_row *error_find_name(const char *name)
{
	size_t prefix = sizeof("PAPI_") - 1, i;

	if (!strncasecmp(name, "PAPI_", prefix))
		name += prefix;
	for (i = 0; i < error_table_nr; i++)
		if (!strcasecmp(error_table[i].name + prefix, name))
			return &error_table[i];
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands of a session, a row each:
 *
 *	PMC_COMMAND(VERB, word, kind of the argument, example)
 *		PMC_HANDLER(VERB, when it is allowed, function)
 *
 * A file that needs the rows defines what becomes of them, and includes this file. parse_command.h
 * makes PMC_CMD_VERB of them. ARG_KIND and the example are for parse_command.c: the example is in
 * messages. The handlers are in front/session_command.c.
 */
#ifndef PMC_COMMAND
#define PMC_COMMAND(...)
#endif
#ifndef PMC_HANDLER
#define PMC_HANDLER(...)
#endif

PMC_COMMAND(EVENTS, "events", TEXT, "events pmc0,ev=0x8")
	PMC_HANDLER(EVENTS, STOPPED, add_events)
PMC_COMMAND(VIRTUAL, "virtual", TEXT, "virtual energy_pkg")
	PMC_HANDLER(VIRTUAL, STOPPED, add_virtuals)
PMC_COMMAND(PERIOD, "period", TIME, "period 100ms")
	PMC_HANDLER(PERIOD, STOPPED, set_period)
PMC_COMMAND(FILTER, "filter", FILTER, "filter user")
	PMC_HANDLER(FILTER, STOPPED, set_filter)
PMC_COMMAND(FOLLOW, "follow", FOLLOW, "follow children")
	PMC_HANDLER(FOLLOW, STOPPED, set_follow)
PMC_COMMAND(ENABLE, "enable", ENABLE, "enable exec")
	PMC_HANDLER(ENABLE, STOPPED, set_enable)
PMC_COMMAND(RING, "ring", COUNT, "ring 1024")
	PMC_HANDLER(RING, STOPPED, set_ring)
PMC_COMMAND(NAMES, "names", NONE, "names")
	PMC_HANDLER(NAMES, STOPPED, record_names)
PMC_COMMAND(ADDRESSES, "addresses", NONE, "addresses")
	PMC_HANDLER(ADDRESSES, STOPPED, record_addresses)
PMC_COMMAND(WAKEUP, "wakeup", COUNT, "wakeup 1")
	PMC_HANDLER(WAKEUP, ALWAYS, set_wakeup)
PMC_COMMAND(ATTACH, "attach", ID, "attach 1234")
	PMC_HANDLER(ATTACH, ALWAYS, attach_process)
PMC_COMMAND(ATTACH_THREAD, "attach-thread", ID, "attach-thread 1234")
	PMC_HANDLER(ATTACH_THREAD, ALWAYS, attach_thread)
PMC_COMMAND(DETACH, "detach", ID, "detach 1234")
	PMC_HANDLER(DETACH, ALWAYS, detach_process)
PMC_COMMAND(DETACH_THREAD, "detach-thread", ID, "detach-thread 1234")
	PMC_HANDLER(DETACH_THREAD, ALWAYS, detach_thread)
PMC_COMMAND(SYSWIDE, "syswide", OPTIONAL_TEXT, "syswide 0-3")
	PMC_HANDLER(SYSWIDE, STOPPED, count_cpus)
PMC_COMMAND(SAMPLE, "sample", NONE, "sample")
	PMC_HANDLER(SAMPLE, ALWAYS, take_samples)
PMC_COMMAND(STOP, "stop", NONE, "stop")
	PMC_HANDLER(STOP, ALWAYS, stop)
PMC_COMMAND(CLEAR, "clear", NONE, "clear")
	PMC_HANDLER(CLEAR, STOPPED, clear)
PMC_COMMAND(DESCRIBE, "describe", TEXT, "describe 0.0=instr,cycles")
	PMC_HANDLER(DESCRIBE, ALWAYS, describe)

#undef PMC_COMMAND
#undef PMC_HANDLER

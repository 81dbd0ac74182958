/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The generic netlink family "pmctrack": sessions as others than their owners see them.
 *
 * A socket that has sent PMC_NL_LISTEN is sent a message when a session begins to count,
 * the session's records, and a message when the session ends. A listener sees the sessions
 * that were opened by the user who opened the socket, in the same user and pid namespaces, without
 * CAP_PERFMON, and by a process that the opener of the socket could trace: of the same group, with
 * no more capabilities, and dumpable. With CAP_PERFMON it sees all sessions.
 */
#ifndef PMCTRACK_NETLINK_H
#define PMCTRACK_NETLINK_H

#define PMC_NL_FAMILY		"pmctrack"
#define PMC_NL_VERSION		1

/* Longest text of a session's "describe" command, with its terminating zero */
#define PMC_DESCRIPTION_LEN	1024

/**
 * enum pmc_nl_command - commands of the family
 * @PMC_NL_SESSIONS: request, with NLM_F_DUMP: the sessions that count and that the caller may
 *	see, as PMC_NL_BEGIN
 * @PMC_NL_LISTEN: request: send this socket what follows, of all sessions or that of
 *	PMC_NL_A_SESSION. Another request replaces this one; closing the socket ends it. Errors:
 *	ENOENT: no session that counts has this number, or none that the caller may see;
 *	EUSERS: the user has 16 listeners
 * @PMC_NL_BEGIN: to listeners: a session counts, or has another description or period than before.
 *	PMC_NL_A_SESSION, _UID, _PID, _COMM, _PERIOD, _DESCRIPTION
 * @PMC_NL_RECORDS: to listeners: PMC_NL_A_SESSION, _RECORDS, _LOST, maybe _OTHER_PIDS
 * @PMC_NL_END: to listeners: a session was closed. PMC_NL_A_SESSION, _LOST
 */
enum pmc_nl_command {
	PMC_NL_SESSIONS = 1,
	PMC_NL_LISTEN,
	PMC_NL_BEGIN,
	PMC_NL_RECORDS,
	PMC_NL_END,
};

/**
 * enum pmc_nl_attribute - attributes of the messages
 * @PMC_NL_A_SESSION: u32: number of the session, from 1
 * @PMC_NL_A_UID: u32: user who opened the session
 * @PMC_NL_A_PID: u32: process that opened it, in its pid namespace, as in the records
 * @PMC_NL_A_COMM: string: that process's name
 * @PMC_NL_A_PERIOD: u64: sampling period in ns, 0: none
 * @PMC_NL_A_DESCRIPTION: string: what the owner has written by "describe"
 * @PMC_NL_A_RECORDS: binary: records one after another, as read() of the session returns
 *	them (struct pmc_record)
 * @PMC_NL_A_LOST: u64: records of any session that this listener has not received, because
 *	its socket was full or they came too fast, since the message before
 * @PMC_NL_A_PAD: for alignment
 * @PMC_NL_A_OTHER_PIDS: flag: the records' pids are of another pid namespace than that of the
 *	process that has sent PMC_NL_LISTEN
 */
enum pmc_nl_attribute {
	PMC_NL_A_UNSPEC,
	PMC_NL_A_SESSION,
	PMC_NL_A_UID,
	PMC_NL_A_PID,
	PMC_NL_A_COMM,
	PMC_NL_A_PERIOD,
	PMC_NL_A_DESCRIPTION,
	PMC_NL_A_RECORDS,
	PMC_NL_A_LOST,
	PMC_NL_A_PAD,
	PMC_NL_A_OTHER_PIDS,
	PMC_NL_A_NR
};

#endif /* PMCTRACK_NETLINK_H */

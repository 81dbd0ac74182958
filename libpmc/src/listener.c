// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sessions of other processes, by the kernel module's generic netlink family. */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "error.h"
#include "struct_size.h"
#include "thread_comm.h"
#include "pmctrack.h"
#include "record.h"
#include "../../kmod/uapi/pmctrack_netlink.h"

/* Of the socket, where the system allows that many; of a message */
#define SOCKET_BYTES	(1 << 20)
#define MESSAGE_BYTES	65536

struct message {
	struct nl_msg *msg;
	struct message *next;
};

/**
 * struct pmc_listener - a netlink socket, and what came from it
 * @sk: the socket
 * @family: the number of the kernel module's family
 * @names: names of threads
 * @first, @last: messages that have come
 * @current: the message that was returned last; NULL: none
 * @session: the session of the records
 * @other_pids: their threads' numbers mean other threads, or none, in this pid namespace
 * @records: the last message's, copied to where they are aligned
 * @at, @left: bytes of them that were returned, and that were not
 * @answered: the last request was answered
 * @error: errno of the answer, or 0
 */
struct pmc_listener {
	struct nl_sock *sk;
	int family;
	struct names *names;
	struct message *first, **last;
	struct nl_msg *current;
	unsigned int session;
	int other_pids;
	uint64_t records[MESSAGE_BYTES / sizeof(uint64_t)];
	size_t at;
	size_t left;
	int answered;
	int error;
};

static int keep(struct nl_msg *msg, void *arg)
{
	pmc_listener_t *l = arg;
	struct message *m;

	/* Answers about families come here, too. */
	if (nlmsg_hdr(msg)->nlmsg_type != l->family)
		return NL_OK;
	m = calloc(1, sizeof(*m));
	if (!m)
		return -NLE_NOMEM;
	nlmsg_get(msg);
	m->msg = msg;
	*l->last = m;
	l->last = &m->next;
	return NL_OK;
}

static int note_error(struct sockaddr_nl *from, struct nlmsgerr *answer, void *arg)
{
	pmc_listener_t *l = arg;

	(void)from;
	l->error = -answer->error;
	l->answered = 1;
	return NL_STOP;
}

static int note_answer(struct nl_msg *msg, void *arg)
{
	pmc_listener_t *l = arg;

	(void)msg;
	l->answered = 1;
	return NL_STOP;
}

static struct nl_msg *take(pmc_listener_t *l)
{
	struct message *m = l->first;
	struct nl_msg *msg;

	if (!m)
		return NULL;
	msg = m->msg;
	l->first = m->next;
	if (!l->first)
		l->last = &l->first;
	free(m);
	return msg;
}

pmc_listener_t *pmc_listener_open(void)
{
	pmc_listener_t *l = calloc(1, sizeof(*l));
	int on = 1;

	if (!l) {
		pmc_fail_nomem();
		return NULL;
	}
	l->last = &l->first;
	l->sk = nl_socket_alloc();
	l->names = names_new();
	if (!l->sk || !l->names) {
		pmc_fail_nomem();
		goto fail;
	}
	if (genl_connect(l->sk)) {
		pmc_fail(errno, "cannot open a netlink socket: %m");
		goto fail;
	}
	l->family = genl_ctrl_resolve(l->sk, PMC_NL_FAMILY);
	if (l->family < 0) {
		pmc_fail(ENODEV, "there are no listeners: the kernel module is not loaded (modprobe pmctrack)");
		goto fail;
	}
	nl_socket_disable_seq_check(l->sk);
	nl_socket_modify_cb(l->sk, NL_CB_VALID, NL_CB_CUSTOM, keep, l);
	nl_socket_modify_cb(l->sk, NL_CB_ACK, NL_CB_CUSTOM, note_answer, l);
	nl_socket_modify_cb(l->sk, NL_CB_FINISH, NL_CB_CUSTOM, note_answer, l);
	nl_socket_modify_err_cb(l->sk, NL_CB_CUSTOM, note_error, l);
	nl_socket_set_buffer_size(l->sk, SOCKET_BYTES, 0);
	nl_socket_set_msg_buf_size(l->sk, MESSAGE_BYTES);
	/* Messages say what was lost. */
	setsockopt(nl_socket_get_fd(l->sk), SOL_NETLINK, NETLINK_NO_ENOBUFS, &on, sizeof(on));
	return l;
fail:
	pmc_listener_close(l);
	return NULL;
}

void pmc_listener_close(pmc_listener_t *l)
{
	struct nl_msg *msg;

	if (!l)
		return;
	while ((msg = take(l)))
		nlmsg_free(msg);
	nlmsg_free(l->current);
	nl_socket_free(l->sk);
	free(l->names);
	free(l);
}

/*
 * Send a request and wait for its answer; messages that come before are kept. PMC_NL_LISTEN may have no
 * answer: the kernel drops it if sessions that count already have filled the socket. All of them are
 * there as soon as the request was sent, so that nothing has to be waited for, and none comes with a
 * refusal.
 */
static int request(pmc_listener_t *l, int command, int flags, unsigned int session)
{
	struct nl_msg *msg = nlmsg_alloc();
	int rc;

	if (!msg || !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, l->family, 0, flags, command,
				 PMC_NL_VERSION) ||
	    (session && nla_put_u32(msg, PMC_NL_A_SESSION, session))) {
		nlmsg_free(msg);
		return pmc_fail_nomem();
	}
	l->error = 0;
	l->answered = 0;
	rc = nl_send_auto(l->sk, msg);
	nlmsg_free(msg);
	/* Sessions may come before the answer. */
	while (rc >= 0 && !l->answered)
		rc = nl_recvmsgs_default(l->sk);
	if (!l->answered && (command != PMC_NL_LISTEN || rc != -NLE_AGAIN))
		return pmc_fail(EIO, "the kernel module does not answer by netlink: %s",
				nl_geterror(rc));
	return 0;
}

/* The attributes of a message. Return: 0 if it is none of ours. */
static int parse(struct nl_msg *msg, struct nlattr **attrs, struct pmc_listener_event *event)
{
	static const enum pmc_listener_event_type types[] = {
		[PMC_NL_BEGIN] = PMC_SESSION_BEGINS,
		[PMC_NL_RECORDS] = PMC_SESSION_SAMPLE,
		[PMC_NL_END] = PMC_SESSION_ENDS,
	};
	int command = genlmsg_hdr(nlmsg_hdr(msg))->cmd;

	if (command < PMC_NL_BEGIN || command > PMC_NL_END ||
	    genlmsg_parse(nlmsg_hdr(msg), 0, attrs, PMC_NL_A_NR - 1, NULL) ||
	    !attrs[PMC_NL_A_SESSION])
		return 0;
	memset(event, 0, sizeof(*event));
	event->type = types[command];
	event->session = nla_get_u32(attrs[PMC_NL_A_SESSION]);
	if (attrs[PMC_NL_A_LOST])
		event->lost = nla_get_u64(attrs[PMC_NL_A_LOST]);
	return 1;
}

static void fill_session(struct pmc_listener_event *event, struct nlattr **attrs)
{
	event->uid = attrs[PMC_NL_A_UID] ? nla_get_u32(attrs[PMC_NL_A_UID]) : 0;
	event->pid = attrs[PMC_NL_A_PID] ? nla_get_u32(attrs[PMC_NL_A_PID]) : 0;
	event->command = attrs[PMC_NL_A_COMM] ? nla_get_string(attrs[PMC_NL_A_COMM]) : "";
	event->period = attrs[PMC_NL_A_PERIOD] ? nla_get_u64(attrs[PMC_NL_A_PERIOD]) : 0;
	event->description = attrs[PMC_NL_A_DESCRIPTION] ?
			     nla_get_string(attrs[PMC_NL_A_DESCRIPTION]) : "";
}

int pmc_listener_list(pmc_listener_t *l,
		      void (*fn)(void *arg, const struct pmc_listener_event *event), void *arg)
{
	struct nlattr *attrs[PMC_NL_A_NR];
	struct pmc_listener_event event;
	struct nl_msg *msg;

	if (request(l, PMC_NL_SESSIONS, NLM_F_DUMP, 0))
		return -1;
	if (l->error)
		return pmc_fail(l->error, "cannot list sessions: %s", strerror(l->error));
	while ((msg = take(l))) {
		if (parse(msg, attrs, &event)) {
			fill_session(&event, attrs);
			fn(arg, &event);
		}
		nlmsg_free(msg);
	}
	return 0;
}

int pmc_listener_start(pmc_listener_t *l, unsigned int session)
{
	nl_socket_set_nonblocking(l->sk);
	if (request(l, PMC_NL_LISTEN, 0, session))
		return -1;
	if (l->error == ENOENT)
		return pmc_fail(ENOENT, "there is no session %u that counts and that you may listen to; `pmctrack listen -l` lists them",
				session);
	if (l->error == EUSERS)
		return pmc_fail(EUSERS, "there are too many listeners: 16 for a user without CAP_PERFMON");
	if (l->error)
		return pmc_fail(l->error, "cannot listen: %s", strerror(l->error));
	return 0;
}

int pmc_listener_fd(const pmc_listener_t *l)
{
	return nl_socket_get_fd(l->sk);
}

/* Return: 0 if there is no record left. */
static int next_record(pmc_listener_t *l, struct pmc_listener_event *event)
{
	const struct pmc_record *record = (const void *)((const char *)l->records + l->at);
	size_t size = l->left < sizeof(*record) ? SIZE_MAX : record_size(record);

	if (l->left < size) {
		l->left = 0;
		return 0;
	}
	event->type = PMC_SESSION_SAMPLE;
	event->session = l->session;
	record_convert(&event->reading, record);
	if (l->other_pids)
		names_of_record(&event->reading, record);
	else
		names_fill(l->names, &event->reading, record);
	l->at += size;
	l->left -= size;
	return 1;
}

static int first_record(pmc_listener_t *l, struct pmc_listener_event *event,
			struct nlattr **attrs)
{
	if (!attrs[PMC_NL_A_RECORDS])
		return 0;
	l->session = event->session;
	l->other_pids = !!attrs[PMC_NL_A_OTHER_PIDS];
	l->at = 0;
	l->left = nla_memcpy(l->records, attrs[PMC_NL_A_RECORDS], sizeof(l->records));
	return next_record(l, event);
}

/* The next message. Return: 1; 0 if there is none now; -1 on failure. */
static int next_message(pmc_listener_t *l)
{
	int rc;

	nlmsg_free(l->current);
	l->current = take(l);
	if (l->current)
		return 1;
	rc = nl_recvmsgs_default(l->sk);
	if (rc < 0 && rc != -NLE_AGAIN && rc != -NLE_INTR)
		return pmc_fail(EIO, "cannot receive samples: %s", nl_geterror(rc));
	l->current = take(l);
	return !!l->current;
}

static int next_event(pmc_listener_t *l, struct pmc_listener_event *event)
{
	struct nlattr *attrs[PMC_NL_A_NR];
	int rc;

	memset(event, 0, sizeof(*event));
	if (next_record(l, event))
		return 1;
	while ((rc = next_message(l)) > 0) {
		if (!parse(l->current, attrs, event))
			continue;
		if (event->type == PMC_SESSION_BEGINS)
			fill_session(event, attrs);
		if (event->type != PMC_SESSION_SAMPLE ||
		    first_record(l, event, attrs))
			return 1;
	}
	return rc;
}

int pmc_listener_next_sized(pmc_listener_t *l, struct pmc_listener_event *event, size_t size)
{
	struct pmc_listener_event next;
	int rc = next_event(l, &next);

	if (rc > 0)
		copy_sized(event, size, &next, sizeof(next));
	return rc;
}

int (pmc_listener_next)(pmc_listener_t *l, struct pmc_listener_event *event)
{
	return pmc_listener_next_sized(l, event,
				       SIZE_UP_TO(struct pmc_listener_event, reading.address));
}

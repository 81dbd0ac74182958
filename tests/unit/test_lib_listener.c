// SPDX-License-Identifier: GPL-2.0
/*
 * A listener whose requests the test answers in place of the kernel module, by calls of libnl that are
 * replaced.
 */
#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../../kmod/uapi/pmctrack.h"
#include "../../kmod/uapi/pmctrack_netlink.h"
#include "lib.h"
#include "pmctrack/listeners.h"

#define FAMILY	25

static int nonblocking, answer_is_lost;
static nl_recvmsg_err_cb_t refuse;
static nl_recvmsg_msg_cb_t receive;
static void *of_refuse;
static int refusal;

int __wrap_genl_connect(struct nl_sock *sk)
{
	return 0;
}

int __wrap_genl_ctrl_resolve(struct nl_sock *sk, const char *name)
{
	return FAMILY;
}

int __wrap_nl_socket_set_nonblocking(const struct nl_sock *sk)
{
	nonblocking = 1;
	return 0;
}

int __wrap_nl_send_auto(struct nl_sock *sk, struct nl_msg *msg)
{
	return 1;
}

int __real_nl_socket_modify_err_cb(struct nl_sock *sk, enum nl_cb_kind kind, nl_recvmsg_err_cb_t function, void *arg);

int __wrap_nl_socket_modify_err_cb(struct nl_sock *sk, enum nl_cb_kind kind, nl_recvmsg_err_cb_t function, void *arg)
{
	refuse = function;
	of_refuse = arg;
	return __real_nl_socket_modify_err_cb(sk, kind, function, arg);
}

int __real_nl_socket_modify_cb(struct nl_sock *sk, enum nl_cb_type type, enum nl_cb_kind kind,
			       nl_recvmsg_msg_cb_t function, void *arg);

int __wrap_nl_socket_modify_cb(struct nl_sock *sk, enum nl_cb_type type, enum nl_cb_kind kind,
			       nl_recvmsg_msg_cb_t function, void *arg)
{
	if (type == NL_CB_VALID)
		receive = function;
	return __real_nl_socket_modify_cb(sk, type, kind, function, arg);
}

/* The kernel's messages and its answer are in the socket as soon as the request was sent. */
int __wrap_nl_recvmsgs_default(struct nl_sock *sk)
{
	struct nlmsgerr answer = { .error = refusal };

	if (!answer_is_lost) {
		refuse(NULL, &answer, of_refuse);
		return 0;
	}
	if (!nonblocking)
		fail_msg("it waits for an answer that does not come");
	return -NLE_AGAIN;
}

static pmc_listener_t *open_listener(void)
{
	pmc_listener_t *listener = pmc_listener_open();

	assert_non_null(listener);
	nonblocking = answer_is_lost = refusal = 0;
	return listener;
}

/*
 * Sessions that count already come before the answer. With many of them the socket is full, and the kernel
 * drops the answer: the request was granted.
 */
static void test_answer_is_lost(void **state)
{
	pmc_listener_t *listener = open_listener();
	struct pmc_listener_event event;

	answer_is_lost = 1;
	assert_int_equal(pmc_listener_start(listener, 0), 0);
	assert_int_equal(pmc_listener_next(listener, &event), 0);
	pmc_listener_close(listener);
}

static void test_refused(void **state)
{
	pmc_listener_t *listener = open_listener();

	refusal = -ENOENT;
	assert_int_equal(pmc_listener_start(listener, 7), -1);
	check_error("there is no session 7");
	refusal = -EUSERS;
	assert_int_equal(pmc_listener_start(listener, 0), -1);
	check_error("too many listeners");
	refusal = -EPERM;
	assert_int_equal(pmc_listener_start(listener, 0), -1);
	check_error("cannot listen: Operation not permitted");
	refusal = 0;
	assert_int_equal(pmc_listener_start(listener, 0), 0);
	pmc_listener_close(listener);
}

static void count(void *nr, const struct pmc_listener_event *event)
{
	++*(int *)nr;
}

/* A list that the kernel refuses is not an empty one. */
static void test_list_refused(void **state)
{
	pmc_listener_t *listener = open_listener();
	int nr = 0;

	refusal = -ENOMEM;
	assert_int_equal(pmc_listener_list(listener, count, &nr), -1);
	assert_int_equal(errno, ENOMEM);
	check_error("cannot list sessions: Cannot allocate memory");
	refusal = 0;
	assert_int_equal(pmc_listener_list(listener, count, &nr), 0);
	assert_int_equal(nr, 0);
	pmc_listener_close(listener);
}

/* The end of a session comes. */
static void send_end(pmc_listener_t *listener, unsigned int session)
{
	struct nl_msg *msg = nlmsg_alloc();

	assert_non_null(genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, FAMILY, 0, 0, PMC_NL_END,
				    PMC_NL_VERSION));
	assert_int_equal(nla_put_u32(msg, PMC_NL_A_SESSION, session), 0);
	receive(msg, listener);
	nlmsg_free(msg);
}

/* A sample of the calling thread comes, or of one with its number in another pid namespace. */
static void send_record(pmc_listener_t *listener, int other_pids, const char *name)
{
	struct nl_msg *msg = nlmsg_alloc();
	struct {
		struct pmc_record head;
		char name[PMC_NAME_LEN];
	} record = {
		.head = { .seq = 1, .time = 1000000000, .pid = getpid(), .tid = gettid() },
	};

	if (name) {
		record.head.flags = PMC_REC_NAME;
		strncpy(record.name, name, sizeof(record.name) - 1);
	}
	assert_non_null(genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, FAMILY, 0, 0, PMC_NL_RECORDS,
				    PMC_NL_VERSION));
	assert_int_equal(nla_put_u32(msg, PMC_NL_A_SESSION, 1), 0);
	if (other_pids)
		assert_int_equal(nla_put_flag(msg, PMC_NL_A_OTHER_PIDS), 0);
	assert_int_equal(nla_put(msg, PMC_NL_A_RECORDS, name ? sizeof(record) : sizeof(record.head),
				 &record), 0);
	receive(msg, listener);
	nlmsg_free(msg);
}

static void check_name(pmc_listener_t *listener, const char *name)
{
	struct pmc_listener_event event;

	assert_int_equal(pmc_listener_next(listener, &event), 1);
	assert_int_equal(event.type, PMC_SESSION_SAMPLE);
	assert_string_equal(event.reading.name, name);
}

/* Threads of another pid namespace have the names of their records, and no others. */
static void test_names(void **state)
{
	pmc_listener_t *listener = open_listener();
	char was[16];

	prctl(PR_GET_NAME, was);
	prctl(PR_SET_NAME, "own");
	send_record(listener, 1, NULL);
	check_name(listener, "");
	send_record(listener, 1, "other");
	check_name(listener, "other");
	/* At the same time a thread with that number is here. */
	send_record(listener, 0, NULL);
	check_name(listener, "own");
	send_record(listener, 1, NULL);
	check_name(listener, "");
	prctl(PR_SET_NAME, was);
	pmc_listener_close(listener);
}

/* Programs that were built with another version of the header */
static void test_sized(void **state)
{
	pmc_listener_t *listener = open_listener();
	struct {
		struct pmc_listener_event known;
		uint64_t later;
	} newer = { .later = 7 };
	size_t before = offsetof(struct pmc_listener_event, reading.address);
	struct pmc_listener_event older;
	unsigned int session;

	for (session = 1; session <= 3; session++)
		send_end(listener, session);
	assert_int_equal(pmc_listener_next_sized(listener, &newer.known, sizeof(newer)), 1);
	assert_int_equal(newer.known.type, PMC_SESSION_ENDS);
	assert_int_equal(newer.known.session, 1);
	assert_int_equal(newer.later, 0);

	older.reading.address = 7;
	assert_int_equal(pmc_listener_next_sized(listener, &older, before), 1);
	assert_int_equal(older.session, 2);
	assert_int_equal(older.reading.address, 7);

	newer.later = 7;
	assert_int_equal((pmc_listener_next)(listener, &newer.known), 1);
	assert_int_equal(newer.known.session, 3);
	assert_int_equal(newer.known.reading.address, 0);
	assert_int_equal(newer.later, 7);
	pmc_listener_close(listener);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answer_is_lost),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_list_refused),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_sized),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

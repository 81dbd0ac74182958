// SPDX-License-Identifier: GPL-2.0
/* Samples by read(), when the ring is not mapped. */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "forks.h"
#include "lib.h"
#include "session.h"
#include "thread_comm.h"

/* A record as the kernel writes it into a reader's buffer. */
static size_t put(char *buf, unsigned int seq, unsigned int nr_counts, unsigned int nr_virtual)
{
	struct pmc_record r = {
		.seq = seq, .time = 10 * seq, .elapsed = 5, .running = 4, .pid = 7, .tid = 8,
		.cpu = 2, .core_type = 1, .set = 3, .event = PMC_SAMPLE_EBS,
		.nr_counts = nr_counts, .lost = seq == 3, .ebs_slot = 1,
		.nr_virtual = nr_virtual,
	};
	unsigned int i;
	__u64 count;

	r.flags = seq == 2 ? PMC_REC_LAST | PMC_REC_EVICTED : PMC_REC_LAST;
	memcpy(buf, &r, sizeof(r));
	for (i = 0; i < nr_counts + nr_virtual; i++) {
		count = 100 * seq + i;
		memcpy(buf + sizeof(r) + i * sizeof(count), &count, sizeof(count));
	}
	return sizeof(r) + (nr_counts + nr_virtual) * sizeof(count);
}

static void test_read(void **state)
{
	struct pmc_session session = { .ops = &kernel_session_ops, .owner = forks_process() };
	struct pmc_reading r;
	char buf[2048];
	size_t len = 0;
	unsigned int seq;
	int p[2];

	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	session.fd = p[0];
	assert_int_equal(pmc_session_next(&session, &r), 0);
	assert_int_equal(pmc_session_wait(&session, 0), 0);
	for (seq = 1; seq <= 4; seq++)
		len += put(buf + len, seq, seq - 1, 4 - seq);
	assert_int_equal(write(p[1], buf, len), len);
	assert_int_equal(pmc_session_wait(&session, 0), 1);
	for (seq = 1; seq <= 4; seq++) {
		assert_int_equal(pmc_session_next(&session, &r), 1);
		assert_int_equal(r.time, 10 * seq);
		assert_int_equal(r.nr_counts, seq - 1);
		assert_int_equal(r.type, PMC_EBS_SAMPLE);
		assert_int_equal(r.tid, 8);
		assert_int_equal(r.flags, seq == 2 ? PMC_READING_LAST | PMC_READING_EVICTED : PMC_READING_LAST);
		assert_int_equal(pmc_session_losses(&session), seq > 1);
		if (seq > 1)
			assert_int_equal(r.counts[seq - 2], 100 * seq + seq - 2);
		assert_int_equal(r.nr_virtual, 4 - seq);
		if (seq < 4)
			assert_int_equal(r.virtual_counts[3 - seq], 100 * seq + 2);
	}
	assert_int_equal(pmc_session_next(&session, &r), 0);
	assert_int_equal(pmc_session_lost(&session), 1);
	close(p[1]);
	assert_int_equal(pmc_session_wait(&session, 0), 2);
	close(p[0]);
	assert_int_equal(pmc_session_next(&session, &r), -1);
	check_error("cannot read samples");
	free(session.buf);
}

/* Samples that the library has read already are waited for no more, and come before the end. */
static void test_wait_once_each(void **state)
{
	struct pmc_session session = { .ops = &kernel_session_ops, .owner = forks_process() };
	struct pmc_reading r;
	unsigned int seq;
	char buf[2048] = "";
	size_t len = 0;
	int p[2];

	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	session.fd = p[0];
	for (seq = 1; seq <= 3; seq++)
		len += put(buf + len, seq, 2, 1);
	/* Half of another one is none. */
	assert_int_equal(write(p[1], buf, len + sizeof(struct pmc_record) / 2),
			 len + sizeof(struct pmc_record) / 2);
	for (seq = 1; seq <= 3; seq++) {
		if (seq == 3)
			close(p[1]);
		assert_int_equal(pmc_session_wait(&session, 0), 1);
		assert_int_equal(pmc_session_next(&session, &r), 1);
		assert_int_equal(r.time, 10 * seq);
	}
	assert_int_equal(pmc_session_wait(&session, 0), 2);
	close(p[0]);
	free(session.buf);
}

/* More counts than the library has room for: the rest is skipped, then comes the next record. */
static void test_too_many(void **state)
{
	struct pmc_session session = { .ops = &kernel_session_ops, .owner = forks_process() };
	struct pmc_reading r;
	char buf[1024];
	size_t len = put(buf, 1, 2, PMC_MAX_VIRTUALS + 3);
	int p[2];

	len += put(buf + len, 2, 1, 1);
	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	session.fd = p[0];
	assert_int_equal(write(p[1], buf, len), len);
	assert_int_equal(pmc_session_next(&session, &r), 1);
	assert_int_equal(r.nr_virtual, PMC_MAX_VIRTUALS);
	assert_int_equal(r.virtual_counts[PMC_MAX_VIRTUALS - 1], 100 + 2 + PMC_MAX_VIRTUALS - 1);
	assert_int_equal(pmc_session_next(&session, &r), 1);
	assert_int_equal(r.time, 20);
	assert_int_equal(r.virtual_counts[0], 201);
	close(p[0]);
	close(p[1]);
	free(session.buf);
}

/* Programs that were built with another version of the header */
static void test_sized(void **state)
{
	struct {
		struct pmc_reading known;
		uint64_t later;
	} newer;
	struct pmc_reading older;
	struct pmc_session session = { .ops = &kernel_session_ops, .owner = forks_process() };
	char buf[2048];
	size_t len = 0;
	int p[2];

	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	session.fd = p[0];
	len += put(buf, 1, 2, 1);
	len += put(buf + len, 2, 2, 1);
	len += put(buf + len, 3, 2, 1);
	assert_int_equal(write(p[1], buf, len), len);

	newer.later = 7;
	assert_int_equal(pmc_session_next_sized(&session, &newer.known, sizeof(newer)), 1);
	assert_int_equal(newer.known.virtual_counts[0], 102);
	assert_int_equal(newer.later, 0);

	older.nr_virtual = 7;
	assert_int_equal(pmc_session_next_sized(&session, &older,
						offsetof(struct pmc_reading, nr_virtual)), 1);
	assert_int_equal(older.counts[1], 201);
	assert_int_equal(older.nr_virtual, 7);

	newer.later = 7;
	assert_int_equal((pmc_session_next)(&session, &newer.known), 1);
	assert_int_equal(newer.known.virtual_counts[0], 302);
	assert_int_equal(newer.later, 7);
	close(p[0]);
	close(p[1]);
	free(session.buf);
}

/* A child leaves its parent's samples to it, even if the parent has not mapped the ring. */
static void test_child(void **state)
{
	struct pmc_session session = { .ops = &kernel_session_ops, .owner = forks_process() };
	struct pmc_reading r;
	char buf[1024];
	size_t len = put(buf, 1, 2, 1);
	int p[2], status;
	pid_t child;

	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	session.fd = p[0];
	assert_int_equal(write(p[1], buf, len), len);
	child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child)
		_exit(pmc_session_next(&session, &r) == -1 && errno == ECHILD ? 0 : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(pmc_session_next(&session, &r), 1);
	close(p[0]);
	close(p[1]);
	free(session.buf);
}

/* A record of the calling thread, with a name if @name is not NULL */
static size_t put_named(char *buf, unsigned int flags, uint64_t time, const char *name)
{
	struct pmc_record r = {
		.seq = 1, .time = time, .pid = getpid(), .tid = syscall(SYS_gettid),
		.nr_counts = 1, .nr_virtual = 1, .flags = flags | (name ? PMC_REC_NAME : 0),
	};
	size_t len = sizeof(r) + 2 * sizeof(r.counts[0]);

	memset(buf, 0, len + PMC_NAME_LEN);
	memcpy(buf, &r, sizeof(r));
	if (!name)
		return len;
	memcpy(buf + len, name, strlen(name));
	return len + PMC_NAME_LEN;
}

/* Names of last records are theirs; those of living threads are looked up now and then. */
static void test_names(void **state)
{
	struct pmc_session session = { .ops = &kernel_session_ops, .owner = forks_process(), .names = names_new() };
	static const struct {
		const char *now;	/* what the thread is called then */
		const char *in_record;
		unsigned int flags;
		uint64_t time;
		const char *name;	/* what the reading has to say */
	} cases[] = {
		{ "first", NULL, 0, 1000000000, "first" },
		{ "second", NULL, 0, 1000000001, "first" },	/* too soon to look again */
		{ "second", NULL, 0, 1020000000, "second" },
		{ "odd\n\033[31m\377", NULL, 0, 1040000000, "odd\n\033[31m\377" },
		{ "third", "of the record", PMC_REC_LAST, 1040000001, "of the record" },
		{ "fourth", NULL, PMC_REC_LAST, 1040000002, "fourth" },	/* another thread */
		{ "fourth", "sixteen bytes...", PMC_REC_LAST, 1040000003, "sixteen bytes.." },
		{ "fifth", "ends not", 0, 1040000004, "ends not" },
	};
	struct pmc_reading r;
	char buf[256], was[16];
	size_t i, len;
	int p[2];

	prctl(PR_GET_NAME, was);
	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	session.fd = p[0];
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		prctl(PR_SET_NAME, cases[i].now);
		len = put_named(buf, cases[i].flags, cases[i].time, cases[i].in_record);
		len += put_named(buf + len, cases[i].flags, cases[i].time, NULL);
		assert_int_equal(write(p[1], buf, len), len);
		assert_int_equal(pmc_session_next(&session, &r), 1);
		assert_string_equal(r.name, cases[i].name);
		assert_int_equal(r.flags, cases[i].flags);
		/* The record behind the name is not mistaken. */
		assert_int_equal(pmc_session_next(&session, &r), 1);
		assert_int_equal(r.tid, syscall(SYS_gettid));
		assert_int_equal(r.time, cases[i].time);
	}
	prctl(PR_SET_NAME, was);
	free(session.names);
	session.names = NULL;
	len = put_named(buf, PMC_REC_LAST, 1, "not asked for");
	assert_int_equal(write(p[1], buf, len), len);
	assert_int_equal(pmc_session_next(&session, &r), 1);
	assert_string_equal(r.name, "");
	assert_true(names_is_command("names") && names_is_command("  names \t"));
	assert_false(names_is_command("names x") || names_is_command("namesx"));
	close(p[0]);
	close(p[1]);
	free(session.buf);
}

/* The two headers are written by hand, so check that they agree. */
static void test_constants(void **state)
{
	assert_int_equal(PMC_READING_THROTTLED, PMC_REC_THROTTLED);
	assert_int_equal(PMC_READING_COUNTER_LOST, PMC_REC_COUNTER_LOST);
	assert_int_equal(PMC_READING_SYSWIDE, PMC_REC_SYSWIDE);
	assert_int_equal(PMC_READING_LAST, PMC_REC_LAST);
	assert_int_equal(PMC_READING_EVICTED, PMC_REC_EVICTED);
	assert_int_equal(PMC_TICK_SAMPLE, PMC_SAMPLE_TICK);
	assert_int_equal(PMC_EBS_SAMPLE, PMC_SAMPLE_EBS);
	assert_int_equal(PMC_EXIT_SAMPLE, PMC_SAMPLE_EXIT);
	assert_int_equal(PMC_MIGRATION_SAMPLE, PMC_SAMPLE_MIGRATION);
	assert_int_equal(PMC_SELF_SAMPLE, PMC_SAMPLE_SELF);
	assert_int_equal(PMC_NR_SAMPLE_TYPES, PMC_SAMPLE_NR);
}

/* Each loss has one flag of samples and one number in its sentence. */
static void test_losses(void **state)
{
	const unsigned int known = PMC_READING_THROTTLED | PMC_READING_COUNTER_LOST | PMC_READING_SYSWIDE |
				   PMC_READING_LAST | PMC_READING_EVICTED | PMC_READING_EXEC;
	unsigned int seen = PMC_READING_THROTTLED;
	const struct pmc_loss *loss;
	const char *number;
	int n;

	for (n = 0; (loss = pmc_loss_info(n)); n++) {
		assert_true(loss->flag && !(loss->flag & (loss->flag - 1)) && loss->flag & known);
		assert_false(seen & loss->flag);
		seen |= loss->flag;
		number = strchr(loss->sentence, '%');
		assert_true(number && !strncmp(number, "%llu", 4) && !strchr(number + 1, '%'));
	}
	assert_true(seen & PMC_READING_COUNTER_LOST && seen & PMC_READING_EVICTED);
	assert_null(pmc_loss_info(-1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_wait_once_each),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_sized),
		cmocka_unit_test(test_child),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_constants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

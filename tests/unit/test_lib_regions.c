// SPDX-License-Identifier: GPL-2.0
/*
 * Recording regions in the file of pmctrack. The library opens the file once in a process, so each
 * test records in a child.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "region_recorder.h"
#include "region_test.h"

static char path[64];
static int fd;

static void begin(void)
{
	strcpy(path, "/tmp/pmctrack-test.XXXXXX");
	fd = make_region_file(path);
}

static void end(void)
{
	close(fd);
	unlink(path);
	unsetenv(REGION_FILE_VARIABLE);
}

/* Run @record in a child. Return: its status */
static int in_child(void (*record)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		record();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void add(struct region_recorder *r, uint64_t nr)
{
	region_recorder_add(r, "r", nr, nr + 1);
}

/* The records of a block are those of regions from @first to @last. */
static void check_block(unsigned int nr, uint64_t first, uint64_t last)
{
	const struct region_block *block = read_region_block(fd, nr);
	const struct region_record *record = (const void *)block->records;
	uint64_t i;

	assert_int_equal(block->used, (last - first + 1) * REGION_RECORD_BYTES(1));
	assert_true(block->pid && block->tid);
	for (i = first; i <= last; i++) {
		assert_int_equal(record->begin, i);
		assert_int_equal(record->end, i + 1);
		assert_int_equal(record->len, 1);
		assert_int_equal(*record->name, 'r');
		record = (const void *)((const char *)record + REGION_RECORD_BYTES(1));
	}
}

/* ---- who records ---- */

/* A caliper of another thread has another block. A child does not write to its parent's. */
static void *thread(void *arg)
{
	struct region_recorder *r = region_recorder_new();

	(void)arg;
	add(r, 20);
	region_recorder_free(r);
	return NULL;
}

static void by_many(void)
{
	struct region_recorder *r = region_recorder_new();
	pthread_t t;
	pid_t pid;

	add(r, 10);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	pid = fork();
	if (!pid) {
		region_recorder_free(r);
		r = region_recorder_new();
		add(r, 30);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	add(r, 11);
}

static void test_many(void **state)
{
	const struct region_block *block;
	uint32_t pid, tid;

	begin();
	assert_int_equal(in_child(by_many), 0);
	check_block(1, 10, 11);
	check_block(2, 20, 20);
	check_block(3, 30, 30);
	block = read_region_block(fd, 1);
	assert_int_equal(block->pid, block->tid);
	pid = block->pid;
	block = read_region_block(fd, 2);
	assert_int_equal(block->pid, pid);
	assert_int_not_equal(block->tid, pid);
	block = read_region_block(fd, 3);
	assert_int_not_equal(block->pid, pid);
	tid = block->tid;
	assert_int_equal(block->pid, tid);
	assert_int_equal(read_region_file(fd)->next, 4);
	assert_int_equal(read_region_file(fd)->left_out, 0);
	end();
}

static void until_killed(void)
{
	add(region_recorder_new(), 1);
	raise(SIGKILL);
}

static void test_killed(void **state)
{
	begin();
	assert_int_equal(WTERMSIG(in_child(until_killed)), SIGKILL);
	check_block(1, 1, 1);
	end();
}

/* ---- the next block ---- */

#define IN_BLOCK (sizeof(((struct region_block *)0)->records) / REGION_RECORD_BYTES(1))

/* Programs close files that they do not know. */
static void two_blocks(void)
{
	struct region_recorder *r = region_recorder_new();
	size_t i;

	closefrom(3);
	for (i = 1; i <= IN_BLOCK + 2; i++)
		add(r, i);
}

static void test_next_block(void **state)
{
	begin();
	assert_int_equal(in_child(two_blocks), 0);
	check_block(1, 1, IN_BLOCK);
	check_block(2, IN_BLOCK + 1, IN_BLOCK + 2);
	end();
}

/* All that the file has room for is bounded, and what was left out is counted. */
static void two(void)
{
	struct region_recorder *r = region_recorder_new();

	add(r, 1);
	add(r, 2);
}

static void test_full(void **state)
{
	const uint32_t next = REGION_BLOCKS - 1;

	begin();
	pwrite(fd, &next, sizeof(next), offsetof(struct region_file, next));
	assert_int_equal(in_child(two), 0);
	check_block(next, 1, 2);
	assert_int_equal(in_child(two), 0);
	assert_int_equal(in_child(two), 0);
	assert_int_equal(read_region_file(fd)->next, REGION_BLOCKS);
	assert_int_equal(read_region_file(fd)->left_out, 4);
	end();
}

/* A block that would be the first one, or behind the end: pmctrack's own were overwritten. */
static void test_bad_next(void **state)
{
	static const uint32_t next[] = { 0, REGION_BLOCKS + 1, UINT32_MAX };
	size_t i;

	for (i = 0; i < sizeof(next) / sizeof(*next); i++) {
		begin();
		pwrite(fd, &next[i], sizeof(*next), offsetof(struct region_file, next));
		assert_int_equal(in_child(two), 0);
		assert_int_equal(read_region_file(fd)->magic, REGION_FILE_MAGIC);
		assert_int_equal(read_region_file(fd)->left_out, 2);
		end();
	}
}

/* pmctrack has ended, and there is another file of that name. */
static void after_the_end(void)
{
	struct region_recorder *r = region_recorder_new();
	int other;

	unlink(path);
	other = open(path, O_RDWR | O_CREAT, 0600);
	if (ftruncate(other, (off_t)REGION_BLOCKS * REGION_BLOCK_BYTES))
		_exit(1);
	add(r, 1);
	_exit(read_region_block(other, 1)->used || read_region_block(other, 0)->used);
}

static void test_other_file(void **state)
{
	begin();
	assert_int_equal(in_child(after_the_end), 0);
	assert_int_equal(read_region_file(fd)->left_out, 1);
	end();
}

/* ---- no recording ---- */

static void none(void)
{
	_exit(!!region_recorder_new());
}

static void test_none(void **state)
{
	const uint64_t zero = 0;

	assert_int_equal(in_child(none), 0);
	begin();
	assert_int_not_equal(in_child(none), 0);
	chmod(path, 0);
	if (geteuid())
		assert_int_equal(in_child(none), 0);
	chmod(path, 0600);
	assert_int_equal(ftruncate(fd, REGION_BLOCK_BYTES), 0);
	assert_int_equal(in_child(none), 0);
	assert_int_equal(ftruncate(fd, (off_t)REGION_BLOCKS * REGION_BLOCK_BYTES), 0);
	assert_int_not_equal(in_child(none), 0);
	pwrite(fd, &zero, sizeof(zero), 0);
	assert_int_equal(in_child(none), 0);
	setenv(REGION_FILE_VARIABLE, "/dev/null", 1);
	assert_int_equal(in_child(none), 0);
	setenv(REGION_FILE_VARIABLE, "/nosuch/file", 1);
	assert_int_equal(in_child(none), 0);
	end();
}

/* ---- names ---- */

/* 126 bytes, and a character of two bytes, which is left out. */
static char long_name[] =
	"0123456789012345678901234567890123456789012345678901234567890123456789"
	"01234567890123456789012345678901234567890123456789012345\xc3\xa4 and more";

static void names(void)
{
	struct region_recorder *r = region_recorder_new();

	region_recorder_add(r, "", 1, 2);
	region_recorder_add(r, long_name, 3, 4);
	long_name[126] = '6';
	long_name[127] = '\0';
	region_recorder_add(r, long_name, 5, 6);
}

static void test_names(void **state)
{
	const struct region_record *record;
	static const uint32_t lengths[] = { 0, 126, 127 };
	size_t i, at = 0;

	begin();
	assert_int_equal(in_child(names), 0);
	for (i = 0; i < 3; i++) {
		record = (const void *)(read_region_block(fd, 1)->records + at);
		assert_int_equal(record->begin, 2 * i + 1);
		assert_int_equal(record->len, lengths[i]);
		at += REGION_RECORD_BYTES(lengths[i]);
	}
	assert_int_equal(read_region_block(fd, 1)->used, at);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_next_block),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_bad_next),
		cmocka_unit_test(test_other_file),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * PAPI's high level and rates count a known number of instructions, over all core types and in
 * several threads. The programs are processes of the test, as the output is written at their
 * ends.
 *
 * The calls of a region and of a move are counted beside the loop: less than CALLS
 * instructions.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "papi_calls.h"

#define N		1000000
#define CALLS		100000
#define NR_THREADS	3
#define OUTPUT		"/tmp/papi_high/papi_hl_output/rank_000003.json"

#define USER_EVENTS	"/tmp/papi_high_events"

static char text[65536];

/* Run a program until its end; text is its output then. */
static void run(void (*program)(void))
{
	int status;
	FILE *f;

	if (!fork()) {
		setenv("PAPI_OUTPUT_DIRECTORY", "/tmp/papi_high", 1);
		setenv("PAPI_EVENTS", "PAPI_TOT_INS,PAPI_TOT_CYC", 1);
		setenv("PMI_RANK", "3", 1);
		program();
		exit(result());
	}
	wait(&status);
	same(status, 0, "the program's status");
	text[0] = 0;
	f = fopen(OUTPUT, "r");
	if (!f)
		return;
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);
	unlink(OUTPUT);
}

/* The number of a member after the n-th place of a region's name, from 0; -1: none. */
static long long number(const char *region, int n, const char *member)
{
	char name[64], key[64];
	const char *at = text;

	snprintf(name, sizeof(name), "\"name\":\"%s\"", region);
	snprintf(key, sizeof(key), "\"%s\":", member);
	do {
		at = strstr(at, name);
		if (!at)
			return -1;
		at++;
	} while (n--);
	at = strstr(at, key);
	if (!at)
		return -1;
	/* Either the number, or an object that begins with it */
	at += strcspn(at + strlen(key), "0123456789") + strlen(key);
	return atoll(at);
}

static void on_all_core_types(void)
{
	int i;

	OK(PAPI_hl_region_begin("outer"));
	OK(PAPI_hl_region_begin("inner"));
	for (i = 0; i < nr_core_types; i++) {
		pin(0, core_types[i].first_cpu);
		spin(N);
	}
	OK(PAPI_hl_region_end("inner"));
	spin(N);
	OK(PAPI_hl_region_end("outer"));
}

static void test_core_types(void)
{
	long long inner = 2LL * N * nr_core_types, outer = inner + 2 * N;

	run(on_all_core_types);
	within(number("inner", 0, "PAPI_TOT_INS"), inner, inner + CALLS, "instructions of inner");
	within(number("outer", 0, "PAPI_TOT_INS"), outer, outer + CALLS, "instructions of outer");
	CHECK(number("inner", 0, "PAPI_TOT_CYC") > 0, "no cycles");
	CHECK(number("inner", 0, "real_time_nsec") > 0, "no time");
	same(number("outer", 0, "parent_region_id"), 1, "digits of outer's parent, -1");
	same(number("inner", 0, "parent_region_id"), 0, "inner's parent");
}

static void *thread(void *nr)
{
	OK(PAPI_hl_region_begin("thread"));
	spin(N * (1 + (long)nr));
	OK(PAPI_hl_region_end("thread"));
	return NULL;
}

/* One after the other, so that their numbers are in this order */
static void in_threads(void)
{
	pthread_t id;
	long i;

	for (i = 0; i < NR_THREADS; i++) {
		CHECK(!pthread_create(&id, NULL, thread, (void *)i), "no thread %ld", i);
		pthread_join(id, NULL);
	}
}

static void test_threads(void)
{
	int i;

	run(in_threads);
	for (i = 0; i < NR_THREADS; i++)
		within(number("thread", i, "PAPI_TOT_INS"), 2LL * N * (i + 1),
		       2LL * N * (i + 1) + CALLS, "instructions of thread %d", i);
	same(number("thread", NR_THREADS, "PAPI_TOT_INS"), -1, "one thread more");
}

static void rates(void)
{
	float real, proc, ipc;
	long long n, ref, core;
	int i;

	OK(PAPI_ipc(&real, &proc, &n, &ipc));
	same(n, 0, "instructions of the first call");
	for (i = 0; i < nr_core_types; i++) {
		pin(0, core_types[i].first_cpu);
		spin(N);
	}
	OK(PAPI_ipc(&real, &proc, &n, &ipc));
	within(n, 2LL * N * nr_core_types, 2LL * N * nr_core_types + CALLS, "instructions");
	CHECK(ipc > 0 && real > 0, "ipc %f, time %f", ipc, real);
	OK(PAPI_epc(0, &real, &proc, &ref, &core, &n, &ipc));
	spin(N);
	OK(PAPI_epc(0, &real, &proc, &ref, &core, &n, &ipc));
	within(n, 2 * N, 2 * N + CALLS, "instructions of epc");
	CHECK(core > 0, "no cycles");
	OK(PAPI_rate_stop());
	same(PAPI_rate_stop(), PAPI_ENOEVNT, "stop again");
	/* The high level and the rates take turns. */
	OK(PAPI_hl_region_begin("after"));
	spin(N);
	OK(PAPI_hl_region_end("after"));
}

static void test_rates(void)
{
	run(rates);
	within(number("after", 0, "PAPI_TOT_INS"), 2 * N, 2 * N + CALLS, "after the rates");
}

static void write_quotient(void)
{
	FILE *f = fopen(USER_EVENTS, "w");

	if (!f)
		die("no " USER_EVENTS);
	fputs("EVENT,QUOTIENT,DERIVED_POSTFIX,N0|N1|/|,PAPI_TOT_INS,PAPI_TOT_CYC\n", f);
	fclose(f);
}

static void with_a_quotient(void)
{
	setenv("PAPI_USER_EVENTS_FILE", USER_EVENTS, 1);
	setenv("PAPI_EVENTS", "PAPI_TOT_INS,QUOTIENT,PAPI_TOT_CYC", 1);
	OK(PAPI_hl_region_begin("mixed"));
	spin(N);
	OK(PAPI_hl_region_end("mixed"));
}

/* Where cores differ, a quotient is left out, and nothing else. */
static void test_quotient(void)
{
	write_quotient();
	run(with_a_quotient);
	unlink(USER_EVENTS);
	within(number("mixed", 0, "PAPI_TOT_INS"), 2 * N, 2 * N + CALLS, "beside a quotient");
	CHECK(number("mixed", 0, "PAPI_TOT_CYC") > 0, "no cycles beside a quotient");
	same(!strstr(text, "QUOTIENT"), nr_core_types > 1, "the quotient is left out");
}

int main(void)
{
	need_counters();
	test_core_types();
	test_threads();
	test_rates();
	test_quotient();
	return result();
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared functions of the tests in test machines: using a session, reading its records,
 * work whose length is known to the instruction, and checks that print the expected
 * value. Functions end the test or report an error themselves, so callers may ignore errors.
 */
#ifndef VM_H
#define VM_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <uapi/pmctrack.h>

#define PRINTF(f, a)	__attribute__((format(printf, f, a)))

/* Two events that every machine with counters has; see expand(). */
#define INSTRUCTIONS	"ev=@I"
#define CYCLES		"ev=@C"

/* ---- results: check.c ---- */

/* Report an error; the test continues. May be called in any thread. */
void fail(const char *fmt, ...) PRINTF(1, 2);
/* Report an error and end the test. */
void die(const char *fmt, ...) PRINTF(1, 2) __attribute__((noreturn));
/* Ends the test as skipped. */
void skip(const char *fmt, ...) PRINTF(1, 2) __attribute__((noreturn));
/* Check that @got has the right value; report both if not. Return: the result. */
bool same(long long got, long long expected, const char *fmt, ...) PRINTF(3, 4);
/* The same: is @got from @low to @high? */
bool within(long long got, long long low, long long high, const char *fmt, ...) PRINTF(4, 5);
/* Does @text have @word in it? */
bool mentions(const char *text, const char *word, const char *fmt, ...) PRINTF(3, 4);
/* The same for any condition: reports the place of the check. */
#define CHECK(cond, fmt, ...) do {						\
	if (!(cond))								\
		fail("line %d: " fmt, __LINE__, ##__VA_ARGS__);			\
} while (0)
/* The exit status that main() returns: 0 when nothing failed. */
int result(void);
/* How often to do something: @few times in `make test`, @many in `make test-full` (SIZE=long). */
int by_size(int few, int many);

/* ---- the machine: machine.c ---- */

struct core_type {
	char name[32];
	char pmu[64];
	cpu_set_t cpus;
	int first_cpu;
	int nr_hw;	/* counters, those of software left out */
	uint64_t general;	/* those for any event, one bit each */
	int fixed_cycles;	/* the one that counts cycles only, or -1 */
	bool fixed_instructions;	/* one counts instructions only */
};

extern struct core_type core_types[16];
extern int nr_core_types;
/* The number of task_clock, on all core types; those of the others follow. */
extern int first_software;
extern char backend[16];

/* Reads /proc/pmc/info. */
void read_machine(void);
/* The same; the test is skipped on a machine without counters. */
void need_counters(void);
/* and on one with fewer than two core types */
void need_core_types(void);
int core_type_of(int cpu);
/* A value of /proc/pmc/stats or /proc/pmc/config. */
long long proc_value(const char *file, const char *key);
/* Writes text to a file; returns 0 or -errno. */
int write_file(const char *path, const char *fmt, ...) PRINTF(2, 3);
/* Writes a number to a file that has one, as a sysctl. Return: the number before. */
int change_number(const char *path, int value);
void set_config(const char *fmt, ...) PRINTF(1, 2);
/* Moves a thread (0: the caller) to a CPU. */
void pin(pid_t tid, int cpu);
void unpin(pid_t tid);
/* Make the calling process one of an ordinary user's, as after a login. */
void change_user(uid_t uid);
/* Load or unload one of the project's modules (name without .ko). */
void load_module(const char *name);
void unload_module(const char *name);
/* Activate or deactivate a monitoring module. */
void activate(const char *name);
void deactivate(const char *name);
/* Wait until the module counts nothing and no session is open. */
void wait_until_idle(void);

/* ---- events and counters by any machine's names: events.c ---- */

struct codes {
	unsigned int instructions;
	unsigned int cycles;
};

const struct codes *event_codes(void);
/* The slot of counter @nr, from 1, of those for any event; -1: on any core type */
int general_slot(int core_type, int nr);
/* The slot that @F is on */
int cycles_slot(int core_type);
/*
 * In all commands of tests:
 *	@I, @C		the codes of instructions and of cycles
 *	@1 to @5	the number of a counter for any event
 *	@F, @f		the counter of cycles, such as pmc0, or pmc5=0x76 where
 *			none is for cycles alone; and its number
 *	@s		the number of the first software counter
 * of the core type that the line names, or those that all core types share.
 */
void expand(char *out, size_t size, const char *text);
/* The same, in a buffer of the calling thread's own. */
const char *expanded(const char *text);

/* ---- sessions: session.c ---- */

/* A session; read() of it does not block. */
int open_session(void);
/* Send commands; words with @ are replaced. Return: 0 or -errno. */
int try_command(int fd, const char *fmt, ...) PRINTF(2, 3);
/* Sends commands that have to work. */
void command(int fd, const char *fmt, ...) PRINTF(2, 3);
/* Send a command that has to be refused with this errno and a message with this word. */
void refused(int fd, int error, const char *word, const char *fmt, ...) PRINTF(4, 5);
/* The session's last message, in a buffer of the calling thread's own. */
const char *why(int fd);
/* Counts the calling thread from here, to here. */
void start(int fd);
/* The same where it may be refused. Return: 0 or -errno. */
int try_start(int fd);
/* The same where it has to be refused with this errno and a message with this word. */
void refused_start(int fd, int error, const char *word);
void stop(int fd);
uint64_t total(int fd, int core_type, int set, int count);
/* How many threads or CPUs were ever counted. */
uint64_t threads_counted(int fd);
/* The calling thread's own counts, and how long it ran with these counters. */
void own_reading(int fd, int core_type, int set, struct pmc_read *r);
/* One of them. */
uint64_t own_count(int fd, int core_type, int set, int count);

struct record {
	struct pmc_record head;
	uint64_t counts[PMC_MAX_COUNTS + PMC_NAME_LEN / sizeof(uint64_t)];
};

struct records {
	struct record *all;
	int nr;
};

/* Its bytes: values of virtual counters follow the counts, and then the thread's name may. */
size_t record_size(const struct pmc_record *record);
/* Append the session's present records. Return: their number. */
int read_records(int fd, struct records *records);
/* The same, until every thread has ended. */
void read_to_end(int fd, struct records *records);
void forget_records(struct records *records);
/*
 * Sums a count over records of a thread (0: all), a core type (-1: all) and a
 * set (-1: all).
 */
uint64_t sum_records(const struct records *records, pid_t tid, int core_type,
		     int set, int count);
/* How many there are of a thread and kind (-1: any). */
int nr_records(const struct records *records, pid_t tid, int event);
/* Check the properties of all records: numbers, order, last records, none left over. */
void check_records(const struct records *records);

/* ---- known work: work.c, script.S ---- */

/**
 * struct step - a system call and a loop after it
 * @result: out: what the system call returned
 * @loops: rounds of the loop that follows, at least 1
 * @quit_if: the process ends if the system call returns this
 */
struct step {
	long nr;
	long args[6];
	long result;
	long loops;
	long quit_if;
};

/*
 * Execute the steps one after the other, and nothing else: each takes
 *	BEFORE_CALL instructions up to and with its system call,
 *	AFTER_CALL + 2 * loops after it.
 */
void script(struct step *steps, long nr);

/*
 * A handler for SA_SIGINFO, whose signals were sent by send_known_signal():
 * loops, adds 1 to *counter, and returns through its own trampoline.
 */
void known_handler(int signal, siginfo_t *info, void *context);
#define HANDLER_LOOPS	100

#if defined(__aarch64__)
#define BEFORE_CALL	6
#define AFTER_CALL	6
#define HANDLER_LENGTH	(HANDLER_LOOPS * 2 + 8)
#elif defined(__x86_64__)
#define BEFORE_CALL	8
#define AFTER_CALL	7
#define HANDLER_LENGTH	(HANDLER_LOOPS * 2 + 6)
#endif

/*
 * Counts the calling thread from a start to a stop with a loop in between.
 * Return: the instructions in user mode: 2 * loops + AFTER_CALL + BEFORE_CALL.
 */
long counted_loop(int fd, long loops);
/* Just the loop: 2 instructions each round, and a few. */
void spin(long loops);
#ifdef __x86_64__
/* A load and a branch each round, and a few. */
void load_loop(long rounds);
/* These events on a P-core: any general counter counts the one, the first four the other. */
#define P_BRANCHES	0xc4
#define P_LOADS		0x81d0
#endif
/* Fills in a step: a system call, one round of the loop, no quitting. */
void make_step(struct step *step, long nr, long a0, long a1, long a2);
/* User-mode instructions from the first step's call to the last one's. */
long script_length(const struct step *steps, long nr);
void catch_known_signal(int signal);
void send_known_signal(pid_t tid, int signal, long *counter);
/* The program known_loop: its instructions in user mode and its exit status. */
#if defined(__aarch64__)
#define KNOWN_LOOP	2000005
#elif defined(__x86_64__)
#define KNOWN_LOOP	2000004
#endif
#define KNOWN_STATUS	7
/* Touches fresh pages: so many minor faults. */
void touch_pages(int nr);

#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs for tracing may query a thread's metrics, and get the same values as a
 * scheduler in the kernel. They may not enable monitoring, and programs of a type that needs
 * less than CAP_PERFMON are refused. (schedulers/hsp_and_rr tests sched_ext schedulers.)
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "ask.h"
#include "vm.h"

#define CONSUMER	"/proc/pmc_consumer"
#define QUESTION	".data.question"

enum { IPC = 1 };

/* The compiled ask.bpf.c. The symbols are global: the assembler may merge local ones. */
__asm__(".section .rodata\n"
	".global programs, programs_end\n"
	".balign 8\n"
	"programs: .incbin \"" OBJECT "\"\n"
	"programs_end: .byte 0\n"
	".previous\n");

extern const char programs[], programs_end[];

static char verifier_says[65536];

/* Return: the object, with one of its programs loaded; or NULL and errno. */
static struct bpf_object *load(const char *name)
{
	struct bpf_object *object = bpf_object__open_mem(programs, programs_end - programs, NULL);
	struct bpf_program *program;
	int ret;

	if (!object)
		die("the BPF programs cannot be read: %s", strerror(errno));
	bpf_object__for_each_program(program, object) {
		bpf_program__set_autoload(program, !strcmp(bpf_program__name(program), name));
		bpf_program__set_log_buf(program, verifier_says, sizeof(verifier_says));
	}
	verifier_says[0] = '\0';
	ret = bpf_object__load(object);
	if (!ret)
		return object;
	bpf_object__close(object);
	errno = -ret;
	return NULL;
}

/* Check that the kernel refuses to load the program, for this reason. */
static void not_allowed(const char *program, const char *function)
{
	struct bpf_object *object = load(program);
	char reason[100];

	if (object) {
		fail("program %s was taken", program);
		bpf_object__close(object);
		return;
	}
	snprintf(reason, sizeof(reason), "calling kernel function %s is not allowed", function);
	mentions(verifier_says, reason, "program %s: %s", program, strerror(errno));
}

/* An iterator over all threads, which is run by reading it. */
static struct bpf_link *iterator(struct bpf_object *object)
{
	struct bpf_link *link;

	link = bpf_program__attach_iter(bpf_object__find_program_by_name(object, "ask"), NULL);
	if (!link)
		die("no iterator: %s", strerror(errno));
	return link;
}

static struct question ask(struct bpf_object *object, struct bpf_link *link, pid_t pid, int metric)
{
	int map = bpf_map__fd(bpf_object__find_map_by_name(object, QUESTION)), key = 0;
	struct question q = { .pid = pid, .metric = metric };
	int fd = bpf_iter_create(bpf_link__fd(link));
	char text[100];

	if (bpf_map_update_elem(map, &key, &q, BPF_ANY))
		die("the question: %s", strerror(errno));
	while (read(fd, text, sizeof(text)) > 0)
		;
	close(fd);
	if (bpf_map_lookup_elem(map, &key, &q))
		die("the answer: %s", strerror(errno));
	same(q.answers, 1, "times that thread %d was met", pid);
	return q;
}

/* The answer to a scheduler in the kernel. */
static uint64_t scheduler_value(pid_t pid, int metric)
{
	unsigned long long value = 0;
	char line[256];
	int ret = -1;
	FILE *f;

	same(write_file(CONSUMER, "metric %d %d", pid, metric), 0, "the scheduler's question");
	f = fopen(CONSUMER, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "answer %d %llu", &ret, &value) == 2)
			break;
	if (f)
		fclose(f);
	same(ret, 0, "the scheduler's answer");
	return value;
}

static void tracing(struct bpf_object *object)
{
	struct bpf_link *link = iterator(object);
	struct timespec now;
	struct question q;
	pid_t pid = fork();

	if (!pid) {
		pin(0, core_types[nr_core_types - 1].first_cpu);
		for (;;)
			spin(100000);
	}
	same(ask(object, link, pid, IPC).result, -ENODEV, "no module has it");
	activate("template");
	same(ask(object, link, pid, IPC).result, -ESRCH, "the thread is not monitored");
	same(ask(object, link, pid, 99).result, -EINVAL, "no such metric");
	same(write_file(CONSUMER, "on %d", pid), 0, "having it monitored");
	usleep(400000);
	/* The value is not updated while the thread does not run. */
	kill(pid, SIGSTOP);
	waitpid(pid, NULL, WUNTRACED);
	q = ask(object, link, pid, IPC);
	clock_gettime(CLOCK_MONOTONIC, &now);
	same(q.result, 0, "its IPC");
	same(q.value, scheduler_value(pid, IPC), "its IPC, in thousandths");
	within(q.time, 1, now.tv_sec * 1000000000ll + now.tv_nsec, "when that was found");
	printf("instructions per cycle of a loop: %llu/1000\n", q.value);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	bpf_link__destroy(link);
	deactivate("template");
}

int main(void)
{
	struct bpf_object *object;

	need_counters();
	libbpf_set_print(NULL);
	load_module("test_consumer");
	load_module("pmc_template");
	object = load("ask");
	if (!object) {
		printf("%s", verifier_says);
		die("a program that traces is refused: %s", strerror(errno));
	}
	tracing(object);
	bpf_object__close(object);
	not_allowed("enable", "bpf_pmcs_monitor_task");
	not_allowed("ask_by_call", "bpf_pmcs_get_metric");
	not_allowed("enable_by_call", "bpf_pmcs_monitor_task");
	unload_module("pmc_template");
	unload_module("test_consumer");
	wait_until_idle();
	return result();
}

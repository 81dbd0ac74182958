// SPDX-License-Identifier: GPL-2.0
/* Queries of a scheduler in the kernel, by the module test_consumer. */
#include <string.h>
#include <unistd.h>

#include "consumer.h"
#include "vm.h"

int consumer(const char *verb, int pid, int n)
{
	return write_file(CONSUMER, "%s %d %d", verb, pid, n);
}

int metric(int pid, int nr, unsigned long long *value, unsigned long long *age)
{
	char line[256] = "";
	int ret = consumer("metric", pid, nr);
	FILE *f;

	if (ret)
		die("no metric asked for: %s", strerror(-ret));
	ret = -1;
	f = fopen(CONSUMER, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "answer %d %llu %llu", &ret, value, age) == 3)
			break;
	if (f)
		fclose(f);
	return ret;
}

int wait_for_metric(int pid, int nr, unsigned long long *value)
{
	unsigned long long age;
	int i, ret = -1;

	for (i = 0; i < 200 && ret; i++) {
		usleep(5000);
		ret = metric(pid, nr, value, &age);
	}
	return ret;
}

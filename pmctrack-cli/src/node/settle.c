// SPDX-License-Identifier: GPL-2.0
/* Waiting before a run, until the machine is as it was before the other runs. */
#include <ctype.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "common.h"
#include "node/settle.h"
#include "node/sysfs_text.h"
#include "options.h"

/* How often the zone is looked at, and how often a line says how far it is */
#define POLL_MS 500
#define LINES_MS 5000

/* Zones are numbered from 0; some may have been removed. */
#define ZONES_MAX 256

static int find_zone(struct settle *settle, const char *sys)
{
	char type[64], name[32];
	int i;

	for (i = 0; i < ZONES_MAX; i++) {
		snprintf(name, sizeof(name), "thermal_zone%d", i);
		if (sysfs_text(type, sizeof(type), "%s/class/thermal/%s/type", sys, name))
			continue;
		if (strcmp(settle->zone, name) && strcmp(settle->zone, type))
			continue;
		snprintf(settle->path, sizeof(settle->path), "%s/class/thermal/%s/temp", sys, name);
		return 0;
	}
	return -1;
}

void settle_parse(struct settle *settle, const char *text, const char *sys)
{
	const char *colon = strrchr(text, ':');
	char *end;

	memset(settle, 0, sizeof(*settle));
	if (isdigit((unsigned char)*text) || *text == '.') {
		settle->us = options_seconds("--settle", text);
		return;
	}
	if (!colon || colon == text || !colon[1])
		bad("--settle takes seconds, or ZONE:MILLIDEGREES as thermal_zone9:35000, not '%s'", text);
	settle->bound = strtol(colon + 1, &end, 10);
	if (*end)
		bad("--settle %s: '%s' is not a number of thousandths of a degree", text, colon + 1);
	snprintf(settle->zone, sizeof(settle->zone), "%.*s", (int)(colon - text), text);
	if (find_zone(settle, sys))
		bad("--settle %s: no thermal zone has this name or type; `grep . %s/class/thermal/*/type` lists them, and a number of seconds needs none",
		    text, sys);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ULL + t.tv_nsec / 1000000;
}

/*
 * Return: the signal that came, or 0. The end of a child is of no concern while no program runs:
 * the caller of pmctrack may have started the child, and orphans are children of process 1.
 */
static int wait_ms(uint64_t ms, int signals)
{
	struct pollfd p = { .fd = signals, .events = POLLIN };
	uint64_t now = now_ms(), end = now + ms;
	struct signalfd_siginfo info;

	do {
		if (poll(&p, 1, end - now) > 0 &&
		    read(signals, &info, sizeof(info)) == sizeof(info) &&
		    info.ssi_signo != SIGCHLD)
			return info.ssi_signo;
		now = now_ms();
	} while (now < end);
	return 0;
}

static int wait_time(const struct settle *settle, int signals)
{
	int signal;

	fprintf(stderr, "pmctrack node: settling for %.1f s\n", settle->us / 1e6);
	signal = wait_ms((settle->us + 999) / 1000, signals);
	return signal ? -signal : 1;
}

/* Say at once and every few seconds how far the zone is. */
static void announce(const struct settle *settle, long temperature, uint64_t waited_ms)
{
	if (waited_ms % LINES_MS < POLL_MS)
		fprintf(stderr, "pmctrack node: settling: %s has %.1f degC, waiting for %.1f (%.0f s)\n",
			settle->zone, temperature / 1e3, settle->bound / 1e3, waited_ms / 1e3);
}

static int wait_zone(const struct settle *settle, int signals)
{
	uint64_t start = now_ms();
	char text[32];
	long temperature;
	int signal;

	for (;;) {
		if (sysfs_text(text, sizeof(text), "%s", settle->path))
			bad("--settle: cannot read %s", settle->path);
		temperature = atol(text);
		if (temperature <= settle->bound)
			return 1;
		if ((now_ms() - start) * 1000 >= settle->limit_us)
			break;
		announce(settle, temperature, now_ms() - start);
		signal = wait_ms(POLL_MS, signals);
		if (signal)
			return -signal;
	}
	fprintf(stderr, "pmctrack node: %s has %.1f degC after %.0f s, more than %.1f: the run starts not settled\n",
		settle->zone, temperature / 1e3, settle->limit_us / 1e6, settle->bound / 1e3);
	return 0;
}

int settle_wait(const struct settle *settle, int signals)
{
	if (settle->us)
		return wait_time(settle, signals);
	return *settle->path ? wait_zone(settle, signals) : 1;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Any text for every parser of the kernel module. The results must be in their specified
 * ranges, or there must be an error message. The first byte chooses the parser: C, E, T.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>

#include "pmu/assign.h"
#include "base/coretypes_param.h"
#include "base/parse_command.h"
#include "base/parse_evset.h"
#include "pmu/arm/armv8_encode.h"

#define MUST(condition) ({ \
	if (!(condition)) { \
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
		abort(); \
	} \
})

/* Check the message: one line of printable ASCII, then zero bytes, and the right error. */
static void check_error(int ret, const struct pmc_err *err)
{
	size_t i, len = strnlen(err->text, sizeof(err->text));

	MUST(ret == -EINVAL);
	MUST(len > 10 && len < sizeof(err->text));
	for (i = 0; i < len; i++)
		MUST(err->text[i] >= ' ' && err->text[i] <= '~');
	for (; i < sizeof(err->text); i++)
		MUST(!err->text[i]);
}

/* From an event set to its place on the counters. */
static void check_set(const struct pmc_setreq *req, u8 flags)
{
	const struct pmc_armv8_layout layout = {
		.nr_events = flags & 31,
		.evt_bits = flags & 32 ? 16 : 10,
		.hyp = flags & 64,
		.has_pmceid = flags & 128,
		.pmceid = { 0x7ff7f9ff00ffULL, 0xffULL },
	};
	u64 candidates[PMC_MAX_COUNTS], config, taken = 0;
	u8 slot[PMC_MAX_COUNTS];
	unsigned int i, nr = 0, culprit = ~0U;
	struct pmc_err err;
	int ret;

	MUST(req->nr >= 1 && req->nr <= PMC_MAX_COUNTS);
	MUST(req->core_type >= -1 && req->core_type < PMC_ALL_CORE_TYPES);
	for (i = 0; i < req->nr; i++) {
		const struct pmc_evreq *ev = &req->ev[i];

		MUST(ev->kind <= PMC_EVREQ_UNCORE);
		MUST(ev->slot < PMC_MAX_SLOTS && ev->sw < PMC_SW_NR);
		MUST(ev->usr >= -1 && ev->usr <= 1);
		MUST(ev->os >= -1 && ev->os <= 1);
		MUST((ev->kind != PMC_EVREQ_ANY &&
		      ev->kind != PMC_EVREQ_UNCORE) || ev->has_code);
		MUST(ev->kind != PMC_EVREQ_SW || !ev->has_code);

		/* Not a backend's. */
		if (ev->kind == PMC_EVREQ_SW || ev->kind == PMC_EVREQ_UNCORE)
			continue;
		memset(&err, 0xaa, sizeof(err));
		ret = pmc_armv8_encode(&layout, ev, true, flags & 1, &config,
				       &candidates[nr], &err);
		if (ret) {
			check_error(ret, &err);
			return;
		}
		MUST(!(config & ~(PMC_ARMV8_FILTER | PMC_ARMV8_EVENT)));
		MUST(!(candidates[nr] >> (1 + layout.nr_events)));
		nr++;
	}

	ret = pmc_assign(candidates, nr, flags * 0x0101010101010101ULL,
			 slot, &culprit);
	if (ret) {
		MUST(ret == -ENOSPC && culprit < nr);
		return;
	}
	for (i = 0; i < nr; i++) {
		MUST(candidates[i] & BIT_ULL(slot[i]));
		MUST(!(taken & BIT_ULL(slot[i])));
		taken |= BIT_ULL(slot[i]);
	}
}

static void fuzz_events(const char *text, size_t len, u8 flags)
{
	struct pmc_setreq req;
	struct pmc_err err;
	int ret;

	memset(&req, 0xaa, sizeof(req));
	memset(&err, 0xaa, sizeof(err));
	ret = pmc_parse_events(text, len, &req, &err);
	if (ret)
		check_error(ret, &err);
	else
		check_set(&req, flags);
}

static void fuzz_command(char *line, size_t len)
{
	struct pmc_command cmd;
	struct pmc_err err;
	int ret;

	memset(&cmd, 0xaa, sizeof(cmd));
	memset(&err, 0xaa, sizeof(err));
	ret = pmc_parse_command(line, &cmd, &err);
	if (ret) {
		check_error(ret, &err);
		return;
	}

	MUST(cmd.arg >= line && cmd.arg + cmd.arg_len <= line + len);
	MUST(strlen(cmd.arg) == cmd.arg_len);
	switch (cmd.verb) {
	case PMC_CMD_EVENTS:
		MUST(cmd.arg_len);
		fuzz_events(cmd.arg, cmd.arg_len, len);
		break;
	case PMC_CMD_PERIOD:
		MUST(cmd.value <= S64_MAX);
		break;
	case PMC_CMD_FILTER:
		MUST(cmd.value >= 1 && cmd.value <= 3);
		break;
	case PMC_CMD_FOLLOW:
		MUST(cmd.value <= PMC_FOLLOW_CHILDREN);
		break;
	case PMC_CMD_ENABLE:
		MUST(cmd.value <= PMC_ENABLE_EXEC);
		break;
	case PMC_CMD_RING:
	case PMC_CMD_WAKEUP:
		MUST(cmd.value >= 1 && cmd.value <= U32_MAX);
		break;
	case PMC_CMD_ATTACH:
	case PMC_CMD_ATTACH_THREAD:
	case PMC_CMD_DETACH:
	case PMC_CMD_DETACH_THREAD:
		MUST(cmd.value >= 1 && cmd.value <= INT_MAX);
		break;
	case PMC_CMD_NONE:
	case PMC_CMD_VIRTUAL:
	case PMC_CMD_NAMES:
	case PMC_CMD_ADDRESSES:
	case PMC_CMD_SYSWIDE:
	case PMC_CMD_SAMPLE:
	case PMC_CMD_STOP:
	case PMC_CMD_CLEAR:
	case PMC_CMD_DESCRIBE:
		MUST(!cmd.value);
		break;
	default:
		MUST(false);
	}
}

static void fuzz_core_types(const char *text)
{
	unsigned int max = pmc_core_types_max_ranges(text);
	struct pmc_core_range *range = malloc(max * sizeof(*range));
	struct pmc_err err;
	int i, j, ret;

	MUST(range);
	memset(&err, 0xaa, sizeof(err));
	ret = pmc_parse_core_types(text, range, max, &err);
	if (ret < 0)
		check_error(ret, &err);
	MUST(ret != 0 && ret <= (int)max);
	for (i = 0; i < ret; i++) {
		MUST(range[i].first <= range[i].last);
		MUST(strnlen(range[i].name, sizeof(range[i].name)) <
		     sizeof(range[i].name));
		for (j = 0; j < i; j++) {
			MUST(range[i].first > range[j].last ||
			     range[j].first > range[i].last);
			MUST((range[i].type == range[j].type) ==
			     !strcmp(range[i].name, range[j].name));
		}
	}
	free(range);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!size)
		return 0;

	/* A copy of exactly this length, so that the sanitizer notices a read beyond it. */
	text = malloc(size);
	MUST(text);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	switch (data[0]) {
	case 'C':
		fuzz_command(text, size - 1);
		break;
	case 'T':
		fuzz_core_types(text);
		break;
	default:
		/* No zero at the end of this one. */
		text = realloc(text, size - 1 ? size - 1 : 1);
		fuzz_events(text, size - 1, data[0]);
	}
	free(text);

	return 0;
}

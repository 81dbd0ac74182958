// SPDX-License-Identifier: LGPL-2.1-or-later
/* Switch the core's state between tasks of an RTOS, clear it, and set the mode. */
#include "core.h"

void epapi_task_save(struct epapi_task *task)
{
	(void)epapi_stop_counters();
	task->counting = epapi_core.counting;
	task->high_level = epapi_core.high_level;
	task->mode = epapi_core.mode;

	if (epapi_core.counting) {
		epapi_collect(epapi_core.counting);
		epapi_results.state = EPAPI_RESULTS_STOPPED;
	}
	epapi_core.counting = NULL;
	epapi_core.high_level = NULL;
	epapi_core.mode = EPAPI_MODE_IDLE;
	epapi_choose_reader();
}

void epapi_task_restore(const struct epapi_task *task)
{
	const struct epapi_set *set = task->counting;

	epapi_core.counting = task->counting;
	epapi_core.high_level = task->high_level;
	epapi_core.mode = task->mode;
	epapi_choose_reader();
	if (!set)
		return;

	if (epapi_core.shown != set)
		epapi_show(set);
	epapi_results.state = EPAPI_RESULTS_RUNNING;
	(void)epapi_cycles_passed();
	epapi_run_counters(set->cctrl);
}

int epapi_task_mode(int on)
{
	int ret = PAPI_EISRUN;

	epapi_suspend();
	if (!epapi_core.counting) {
		epapi_core.task_mode = on ? PMC_TRICORE_CCTRL_TASK : 0u;
		ret = PAPI_OK;
	}

	return epapi_resume(ret);
}

int ePAPI_library_init(int version)
{
	return version == PAPI_VER_CURRENT ? PAPI_VER_CURRENT : PAPI_EINVAL;
}

static void clear(void *object, size_t size)
{
	u8 *byte = object;
	size_t i;

	for (i = 0; i < size; i++)
		byte[i] = 0u;
}

void epapi_forget(void)
{
	clear(&epapi_core, sizeof(epapi_core));
	clear(&epapi_results, sizeof(epapi_results));
}

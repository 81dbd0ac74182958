// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's resctrl has the same registers, from when its file system is
 * mounted. Modules are not notified: they can only find out that a file system of
 * this type exists, in whichever name space.
 */
#include <linux/fs.h>
#include <linux/module.h>

#include "resctrl.h"

bool cmt_lost;
static const char *lost_why;
static struct file_system_type *resctrl;

/**
 * cmt_lose - the registers belong to another program from now on
 * @why: a text that stays
 *
 * The module does not use them until it is activated again: its values have gaps
 * by then.
 *
 * Context: Any, NMI included.
 */
void cmt_lose(const char *why)
{
	if (READ_ONCE(cmt_lost))
		return;
	WRITE_ONCE(lost_why, why);
	WRITE_ONCE(cmt_lost, true);
}

const char *cmt_lost_why(void)
{
	return READ_ONCE(lost_why);
}

void cmt_resctrl_find(void)
{
	resctrl = get_fs_type("resctrl");
	WRITE_ONCE(cmt_lost, false);
	WRITE_ONCE(lost_why, NULL);
}

void cmt_resctrl_forget(void)
{
	if (resctrl)
		module_put(resctrl->owner);
	resctrl = NULL;
}

static void found(struct super_block *sb, void *arg)
{
	*(bool *)arg = true;
}

/* May sleep, while the file system is mounted or unmounted. */
bool cmt_resctrl_mounted(void)
{
	bool mounted = false;

	if (resctrl)
		iterate_supers_type(resctrl, found, &mounted);
	return mounted;
}

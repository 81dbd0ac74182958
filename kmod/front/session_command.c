// SPDX-License-Identifier: GPL-2.0
/* The commands of a session: each line that is written to it is one. */
#include "base/err.h"
#include "base/parse_command.h"
#include "base/settings.h"
#include "front/session_command.h"
#include "metrics/virtual.h"
#include "session/access.h"
#include "session/evset.h"
#include "session/process.h"
#include "session/running_tasks.h"
#include "session/session.h"
#include "session/session_description.h"
#include "session/session_prepare.h"
#include "session/syswide.h"
#include "session/wake.h"

#define PERIOD_MAX	(24 * 3600 * (u64)NSEC_PER_SEC)

static int add_events(struct pmc_session *s, const struct pmc_command *cmd)
{
	return pmc_session_add_events(s, cmd->arg, cmd->arg_len);
}

static int add_virtuals(struct pmc_session *s, const struct pmc_command *cmd)
{
	return pmc_session_add_virtuals(s, cmd->arg);
}

static int clear(struct pmc_session *s, const struct pmc_command *cmd)
{
	pmc_session_clear_events(s);
	pmc_session_clear_virtuals(s);
	return 0;
}

static int set_period(struct pmc_session *s, const struct pmc_command *cmd)
{
	if (cmd->value && cmd->value < pmc_settings.tbs_min_us * (u64)NSEC_PER_USEC)
		return pmc_err(&s->err, -EINVAL,
			       "period: %llu ns is too short, the shortest is %u us (tbs_min_us in /proc/pmc/config)",
			       cmd->value, pmc_settings.tbs_min_us);
	if (cmd->value > PERIOD_MAX)
		return pmc_err(&s->err, -EINVAL,
			       "period: %llu ns is more than a day", cmd->value);
	pmc_session_set_period(s, cmd->value);
	return 0;
}

static int set_filter(struct pmc_session *s, const struct pmc_command *cmd)
{
	s->config.filters.user = cmd->value & PMC_FILTER_USER;
	s->config.filters.kernel = cmd->value & PMC_FILTER_KERNEL;
	return 0;
}

static int set_follow(struct pmc_session *s, const struct pmc_command *cmd)
{
	s->config.follow = cmd->value;
	return 0;
}

static int set_enable(struct pmc_session *s, const struct pmc_command *cmd)
{
	s->config.enable = cmd->value;
	return 0;
}

static int set_ring(struct pmc_session *s, const struct pmc_command *cmd)
{
	if (cmd->value > pmc_settings.ring_max && !pmc_is_privileged(s))
		return pmc_err(&s->err, -EPERM,
			       "ring: %llu samples are more than %u, the most without CAP_PERFMON (ring_max in /proc/pmc/config)",
			       cmd->value, pmc_settings.ring_max);
	WRITE_ONCE(s->ring.nr_slots, cmd->value);
	return 0;
}

static int record_names(struct pmc_session *s, const struct pmc_command *cmd)
{
	WRITE_ONCE(s->consumer.names, true);
	return 0;
}

static int record_addresses(struct pmc_session *s, const struct pmc_command *cmd)
{
	WRITE_ONCE(s->consumer.addresses, true);
	return 0;
}

static int set_wakeup(struct pmc_session *s, const struct pmc_command *cmd)
{
	WRITE_ONCE(s->consumer.wakeup, cmd->value);
	/* There may be enough for readers that wait. */
	pmc_session_wake_now(s);
	return 0;
}

static int attach_process(struct pmc_session *s, const struct pmc_command *cmd)
{
	return pmc_attach_process(s, cmd->value, true);
}

static int attach_thread(struct pmc_session *s, const struct pmc_command *cmd)
{
	return pmc_attach_process(s, cmd->value, false);
}

static int detach_process(struct pmc_session *s, const struct pmc_command *cmd)
{
	return pmc_detach_process(s, cmd->value, true);
}

static int detach_thread(struct pmc_session *s, const struct pmc_command *cmd)
{
	return pmc_detach_process(s, cmd->value, false);
}

static int count_cpus(struct pmc_session *s, const struct pmc_command *cmd)
{
	return pmc_syswide_start(s, cmd->arg);
}

static bool counts(const struct pmc_session *s)
{
	return s->state.prepared || s->syswide.active;
}

static int take_samples(struct pmc_session *s, const struct pmc_command *cmd)
{
	if (counts(s))
		pmc_sample_all(s);
	return 0;
}

static int stop(struct pmc_session *s, const struct pmc_command *cmd)
{
	pmc_session_stop(s);
	return 0;
}

static int describe(struct pmc_session *s, const struct pmc_command *cmd)
{
	return pmc_session_describe(s, cmd->arg, cmd->arg_len);
}

/* When a command is allowed: also while the session counts, or not */
enum when {
	ALWAYS,
	STOPPED,
};

static const struct {
	enum when when;
	int (*run)(struct pmc_session *s, const struct pmc_command *cmd);
} actions[] = {
#define PMC_HANDLER(verb, when, run) \
	[PMC_CMD_##verb] = { when, run },
#include "base/command_rows.h"
};

static int execute(struct pmc_session *s, const struct pmc_command *cmd)
{
	if (cmd->verb == PMC_CMD_NONE)
		return 0;
	if (actions[cmd->verb].when == STOPPED && counts(s))
		return pmc_err(&s->err, -EBUSY,
			       "the session is counting: write 'stop' first");
	return actions[cmd->verb].run(s, cmd);
}

/**
 * pmc_session_command - do what one line says
 * @s: session
 * @line: the line, without its end; written to
 *
 * Context: May sleep.
 * Return: 0, or a negative error explained in the session's message.
 */
int pmc_session_command(struct pmc_session *s, char *line)
{
	struct pmc_command cmd;
	int ret;

	mutex_lock(&s->lock);
	pmc_err_clear(&s->err);
	ret = pmc_session_check_owner(s) ?:
	      pmc_parse_command(line, &cmd, &s->err) ?: execute(s, &cmd);
	if (ret == -ENOMEM && !s->err.text[0])
		pmc_err(&s->err, ret, "out of memory");
	else if (ret && !s->err.text[0])
		pmc_err(&s->err, ret, "the command failed (error %d)", ret);
	mutex_unlock(&s->lock);
	return ret;
}

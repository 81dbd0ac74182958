// SPDX-License-Identifier: GPL-2.0
/* The commands of a session: each line that is written to it is one. */
#include "base/settings.h"
#include "front/control.h"
#include "metrics/virtual.h"
#include "session/access.h"
#include "session/evset.h"
#include "session/process.h"
#include "session/ready.h"
#include "session/running.h"
#include "session/session.h"
#include "session/syswide.h"

#define PERIOD_MAX	(24 * 3600 * (u64)NSEC_PER_SEC)

static int set_period(struct pmc_session *s, u64 ns)
{
	if (ns && ns < pmc_settings.tbs_min_us * (u64)NSEC_PER_USEC)
		return pmc_err(&s->err, -EINVAL,
			       "period: %llu ns is too short, the shortest is %u us (tbs_min_us in /proc/pmc/config)",
			       ns, pmc_settings.tbs_min_us);
	if (ns > PERIOD_MAX)
		return pmc_err(&s->err, -EINVAL,
			       "period: %llu ns is more than a day", ns);
	s->consumer.period = ns;
	return 0;
}

static int set_ring(struct pmc_session *s, u64 slots)
{
	if (slots > pmc_settings.ring_max && !pmc_is_privileged(s))
		return pmc_err(&s->err, -EPERM,
			       "ring: %llu samples are more than %u, the most without CAP_PERFMON (ring_max in /proc/pmc/config)",
			       slots, pmc_settings.ring_max);
	WRITE_ONCE(s->ring_slots, slots);
	return 0;
}

/* Commands that change what is counted: not while the session counts. */
static int configure(struct pmc_session *s, const struct pmc_command *cmd)
{
	if (s->prepared || s->syswide)
		return pmc_err(&s->err, -EBUSY,
			       "the session is counting: write 'stop' first");
	switch (cmd->verb) {
	case PMC_CMD_EVENTS:
		return pmc_session_add_events(s, cmd->arg, cmd->arg_len);
	case PMC_CMD_CLEAR:
		pmc_session_clear_events(s);
		pmc_session_clear_virtuals(s);
		return 0;
	case PMC_CMD_VIRTUAL:
		return pmc_session_add_virtuals(s, cmd->arg);
	case PMC_CMD_PERIOD:
		return set_period(s, cmd->value);
	case PMC_CMD_RING:
		return set_ring(s, cmd->value);
	case PMC_CMD_NAMES:
		WRITE_ONCE(s->consumer.names, true);
		return 0;
	case PMC_CMD_ADDRESSES:
		WRITE_ONCE(s->consumer.addresses, true);
		return 0;
	case PMC_CMD_FILTER:
		s->filters.user = cmd->value & PMC_FILTER_USER;
		s->filters.kernel = cmd->value & PMC_FILTER_KERNEL;
		return 0;
	case PMC_CMD_FOLLOW:
		s->follow = cmd->value;
		return 0;
	case PMC_CMD_ENABLE:
		s->enable = cmd->value;
		return 0;
	default:
		return -EINVAL;
	}
}

static int syswide(struct pmc_session *s, const struct pmc_command *cmd)
{
	if (s->prepared || s->syswide)
		return pmc_err(&s->err, -EBUSY,
			       "the session is counting: write 'stop' first");
	return pmc_syswide_start(s, cmd->arg);
}

static int execute(struct pmc_session *s, const struct pmc_command *cmd)
{
	bool whole = cmd->verb == PMC_CMD_ATTACH ||
		     cmd->verb == PMC_CMD_DETACH;

	switch (cmd->verb) {
	case PMC_CMD_NONE:
		return 0;
	case PMC_CMD_WAKEUP:
		WRITE_ONCE(s->consumer.wakeup, cmd->value);
		return 0;
	case PMC_CMD_ATTACH:
	case PMC_CMD_ATTACH_THREAD:
		return pmc_attach_process(s, cmd->value, whole);
	case PMC_CMD_DETACH:
	case PMC_CMD_DETACH_THREAD:
		return pmc_detach_process(s, cmd->value, whole);
	case PMC_CMD_SYSWIDE:
		return syswide(s, cmd);
	case PMC_CMD_SAMPLE:
		if (s->prepared || s->syswide)
			pmc_sample_all(s);
		return 0;
	case PMC_CMD_STOP:
		pmc_session_stop(s);
		return 0;
	default:
		return configure(s, cmd);
	}
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

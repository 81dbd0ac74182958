// SPDX-License-Identifier: GPL-2.0
/*
 * Many calipers on one thread. Each has a page, to be closed and opened at every switch,
 * though few will be read before the next. So a switch opens no more than
 * PMC_PAGES_OPENED of them. A caliper whose page is closed is read by a system call, and
 * that opens it.
 *
 * Nor are all of them loaded and unloaded: those whose counters are all another one's,
 * too, are carried by that one. What a carrier and a thread that it carries have counted
 * differs by a constant, and that is all the latter keeps: a switch has nothing to do for
 * it. It alights, and is a thread like any other until the next switch, when anybody
 * wants something of it.
 *
 * What a carrier carries belongs to the CPU that the carrier is loaded on, with
 * interrupts off; while it is loaded nowhere, to whoever has its lock. That it is about
 * to be loaded is noted with the lock held.
 */
#include "caliper.h"
#include "carry.h"
#include "session.h"
#include "table.h"

static u64 count_of_slot(const struct pmc_thread *c, unsigned int slot)
{
	unsigned int i = 0;

	while (c->set->slot[i] != slot)
		i++;
	return c->cur[i];
}

/* From its counts to the difference, and back: of two that are loaded, or not, both. */
static void turn(struct pmc_thread *t, const struct pmc_thread *c)
{
	unsigned int i;

	for (i = 0; i < t->set->nr_hw; i++)
		t->cur[i] = count_of_slot(c, t->set->slot[i]) - t->cur[i];
	t->running = c->running - t->running;
}

/* Nothing happens to it at a switch, and no sample of it is ever taken unasked. */
static bool is_plain(const struct pmc_thread *t)
{
	const struct pmc_session *s = t->session;

	return t->page && !s->sampling && !s->nr_virtuals && !s->uses &&
	       !t->set->nr_uncore && !READ_ONCE(t->want_sample);
}

/* The first that can: another time it is the same, so that there are few carriers. */
static struct pmc_thread *find_carrier(const struct pmc_cpu *cpu,
				       const struct pmc_thread *t)
{
	struct pmc_thread *c;

	if (t->carries || !is_plain(t))
		return NULL;
	/* A slot counts one thing at a time. */
	for (c = cpu->loaded; c; c = c->next)
		if (c != t && is_plain(c) && !(t->set->slots & ~c->set->slots))
			return c;
	return NULL;
}

static void board(struct pmc_cpu *cpu, struct pmc_thread *t,
		  struct pmc_thread *c)
{
	struct pmc_thread **link = &cpu->loaded;

	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	turn(t, c);
	t->cpu = -1;
	t->active = PMC_CARRIED;
	t->carrier = c;
	t->next = c->carries;
	c->carries = t;
	c->nr_carries++;
	if (c->active != PMC_CARRIER) {
		c->active = PMC_CARRIER;
		c->nr_met = 0;
	}
}

/* Whose page has been open for the longest time, if too many are. */
static struct pmc_thread *one_too_many(const struct pmc_cpu *cpu)
{
	struct pmc_thread *t, *oldest = NULL;
	unsigned int nr = 0;

	for (t = cpu->loaded; t; t = t->next) {
		if (!t->open)
			continue;
		nr++;
		if (!oldest || t->opened < oldest->opened)
			oldest = t;
	}
	return nr > PMC_PAGES_OPENED ? oldest : NULL;
}

/**
 * pmc_carry - have few pages open, and those carried that can be
 * @cpu: this CPU
 *
 * Pages are yet to be written.
 *
 * Context: Interrupts off, in the switch hook.
 */
void pmc_carry(struct pmc_cpu *cpu)
{
	struct pmc_thread *t, *c;

	while ((t = one_too_many(cpu))) {
		if (t->page->direct)
			pmc_caliper_close(cpu, t);
		t->open = false;
		c = find_carrier(cpu, t);
		if (c)
			board(cpu, t, c);
		else
			pmc_update_slow_flags(t);
	}
}

static void unlink_from(struct pmc_thread *c, struct pmc_thread *t)
{
	struct pmc_thread **link = &c->carries;

	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	c->nr_carries--;
}

/*
 * Then it is loaded, as its carrier is, and its page is open; or, if it is out of the
 * table, it is loaded nowhere.
 */
static void alight_here(struct pmc_cpu *cpu, struct pmc_thread *c,
			struct pmc_thread *t)
{
	unlink_from(c, t);
	turn(t, c);
	t->active = PMC_ACTIVE;
	t->carrier = t;
	t->last_cpu = c->cpu;
	t->flags |= c->flags & PMC_REC_COUNTER_LOST;
	t->cpu = c->cpu;
	t->next = cpu->loaded;
	cpu->loaded = t;
	if (hlist_bl_unhashed(&t->node))
		pmc_unload_one(cpu, t);
	else
		pmc_caliper_open(cpu, t);
}

/* Neither is loaded. */
static void alight_one_away(struct pmc_thread *c, struct pmc_thread *t)
{
	unlink_from(c, t);
	turn(t, c);
	t->flags |= c->flags & PMC_REC_COUNTER_LOST;
	/* Behind its counts. Pairs with pmc_alight(). */
	smp_store_release(&t->carrier, t);
}

static void alight_all_away(struct pmc_thread *c)
{
	while (c->carries)
		alight_one_away(c, c->carries);
}

/**
 * pmc_carry_no_more - a carrier that is loaded nowhere carries nobody any more
 * @c: thread of the task that is about to run here; its lock is held
 *
 * Context: Interrupts off, in the switch hook.
 */
void pmc_carry_no_more(struct pmc_thread *c)
{
	alight_all_away(c);
	c->active = PMC_ACTIVE;
}

/**
 * pmc_carriers_miss - does a carrier, or anybody who is carried, miss the other
 * @cpu: this CPU; of the task that is about to run here all is loaded that is to be
 *
 * Those that are carried have been met in the table: by each carrier all that it carries,
 * unless some are out of the table, and no others, unless their carrier is.
 *
 * Context: Interrupts off, in the switch hook; to be asked once.
 * Return: that, or that a sample is wanted of one of them.
 */
bool pmc_carriers_miss(const struct pmc_cpu *cpu)
{
	unsigned int met = cpu->user_reads & ~(PMC_USER_READS | PMC_STRAY_SAMPLE);
	bool miss = cpu->user_reads & PMC_STRAY_SAMPLE;
	struct pmc_thread *c;

	for (c = cpu->loaded; c; c = c->next) {
		if (c->active != PMC_CARRIER)
			continue;
		miss |= c->nr_met != c->nr_carries;
		met -= c->nr_met;
		c->nr_met = 0;
	}
	return miss || met;
}

/**
 * pmc_alight - a thread is no longer carried
 * @cpu: this CPU
 * @t: thread of current's that is carried, or was until its carrier ended
 *
 * It is loaded if its carrier is.
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_alight(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	/* Who ends the carrier elsewhere has turned the counts before. */
	struct pmc_thread *c = smp_load_acquire(&t->carrier);

	/* It is loaded here or nowhere, and that by nobody but us. */
	if (c != t && c->cpu >= 0) {
		alight_here(cpu, c, t);
		return;
	}
	if (c != t)
		pmc_alight_away(t);
	t->active = PMC_ACTIVE;
}

/**
 * pmc_alight_all - a carrier carries nobody any more
 * @cpu: this CPU
 * @c: thread loaded on it, whether it is a carrier or not
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end(). More is loaded
 * afterwards.
 */
void pmc_alight_all(struct pmc_cpu *cpu, struct pmc_thread *c)
{
	while (c->carries)
		alight_here(cpu, c, c->carries);
	if (c->active == PMC_CARRIER)
		c->active = PMC_ACTIVE;
}

/**
 * pmc_let_go - a thread is carried no more, and carries nobody
 * @cpu: this CPU
 * @t: thread of current's
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end(). @t is loaded if it
 * was, or its carrier is.
 */
void pmc_let_go(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	if (t->active == PMC_CARRIED) {
		pmc_alight(cpu, t);
	} else if (t->cpu >= 0) {
		pmc_alight_all(cpu, t);
	} else {
		/* On a CPU where nothing is counted it has not been loaded. */
		pmc_alight_away(t);
		t->active = PMC_ACTIVE;
	}
}

/**
 * pmc_alight_taken - nothing that is out of the table is carried here, or carries
 * @cpu: this CPU
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_alight_taken(struct pmc_cpu *cpu)
{
	struct pmc_thread *c, *t, *next;

	for (c = cpu->loaded; c; c = c->next) {
		if (hlist_bl_unhashed(&c->node))
			pmc_alight_all(cpu, c);
		for (t = c->carries; t; t = next) {
			next = t->next;
			if (hlist_bl_unhashed(&t->node))
				alight_here(cpu, c, t);
		}
	}
}

/**
 * pmc_alight_away - a thread is no longer carried, and carries nobody
 * @t: thread out of the table; or one of current's that is carried
 *
 * There is nothing that this does where the carrier, or @t itself, is loaded: that is its
 * CPU's to do.
 *
 * Context: Any but NMI; the hooks that found @t in the table are done.
 * Return: the CPU that its carrier is loaded on, or -1.
 */
int pmc_alight_away(struct pmc_thread *t)
{
	struct pmc_thread *c;
	unsigned long flags;
	int cpu = -1;

	rcu_read_lock();
	c = READ_ONCE(t->carrier);
	if (c && c != t) {
		raw_spin_lock_irqsave(&c->carry_lock, flags);
		if (t->carrier == c) {
			/* Pairs with take_off(). */
			cpu = smp_load_acquire(&c->cpu);
			if (cpu < 0)
				alight_one_away(c, t);
		}
		raw_spin_unlock_irqrestore(&c->carry_lock, flags);
	}
	rcu_read_unlock();
	raw_spin_lock_irqsave(&t->carry_lock, flags);
	/* Pairs with take_off(). */
	if (smp_load_acquire(&t->cpu) < 0)
		alight_all_away(t);
	raw_spin_unlock_irqrestore(&t->carry_lock, flags);
	return cpu;
}

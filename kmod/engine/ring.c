// SPDX-License-Identifier: GPL-2.0
/*
 * The ring a session's records travel through: many writers, on any CPU and
 * in any context, and one reader.
 *
 * A writer reserves a position by moving the head on, fills the slot of that
 * position and commits it by storing position + 1 in the record's seq. A slot
 * that is free or being filled still bears the seq of an earlier round, so a
 * reader that looks for position + 1 never takes it for a record. The reader
 * frees slots by moving the tail on.
 *
 * Writers take no lock and never wait: a writer that is interrupted in
 * the middle, by another writer even, holds up the reader only. The tail lies
 * in a page the reader can write to, so it may have any value at any time;
 * the worst it can do is to make writers overwrite records that were not read,
 * or find no room.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <base/compat.h>
#include "engine/ring.h"
#include "uapi/pmctrack.h"

/*
 * The counters in the page of struct pmc_ring_info are what the writers work
 * on, not a copy: a copy stored by one CPU after the other would run backwards
 * now and then. User space cannot get write access to that page.
 */
static atomic64_t *counter(u64 *value)
{
	BUILD_BUG_ON(sizeof(atomic64_t) != sizeof(*value));

	return (atomic64_t *)value;
}

/*
 * As positions are of 64 bits, by the atomics: on 32-bit processors a plain
 * load or store is two.
 */
static u64 load_acquire(u64 *value)
{
	return atomic64_read_acquire(counter(value));
}

static void store_release(u64 *value, u64 to)
{
	atomic64_set_release(counter(value), to);
}

static struct pmc_record *slot_at(const struct pmc_ring *ring, u64 pos)
{
	return ring->slots + (size_t)((u32)pos & ring->mask) * ring->slot_size;
}

static u64 nr_slots(const struct pmc_ring *ring)
{
	return (u64)ring->mask + 1;
}

/* Two writers at work shall not share a cache line. */
static u32 slot_bytes(u32 nr_counts)
{
	return ALIGN(sizeof(struct pmc_record) + nr_counts * sizeof(u64),
		     SMP_CACHE_BYTES);
}

/* Size of the read-only mapping; 0 when it is too big or there is no such ring. */
static u64 map_bytes(u32 nr_slots, u32 nr_counts)
{
	u64 size;

	if (!nr_slots || nr_counts > PMC_RING_COUNTS_MAX ||
	    nr_slots > PMC_MMAP_CONSUMER / sizeof(struct pmc_record))
		return 0;
	size = PAGE_ALIGN(PAGE_SIZE + (u64)roundup_pow_of_two(nr_slots) *
				      slot_bytes(nr_counts));
	return size > PMC_MMAP_CONSUMER ? 0 : size;
}

/**
 * pmc_ring_bytes() - how much memory a ring takes
 * @nr_slots: as for pmc_ring_alloc()
 * @nr_counts: the same
 *
 * Context: any.
 * Return: bytes of whole pages, 0 where pmc_ring_alloc() returns -EINVAL.
 */
u64 pmc_ring_bytes(u32 nr_slots, u32 nr_counts)
{
	u64 size = map_bytes(nr_slots, nr_counts);

	return size ? size + PAGE_SIZE : 0;
}

/**
 * pmc_ring_alloc() - make a ring
 * @ring: the ring
 * @nr_slots: records it is to hold, rounded up to a power of two; at least 1
 * @nr_counts: counts the longest record will have, at most PMC_RING_COUNTS_MAX
 *
 * Context: process context, may sleep.
 * Return: 0, -EINVAL when the mapping would not fit below PMC_MMAP_CONSUMER or
 * an argument is out of range, -ENOMEM.
 */
int pmc_ring_alloc(struct pmc_ring *ring, u32 nr_slots, u32 nr_counts)
{
	u64 size = map_bytes(nr_slots, nr_counts);
	void *mem;

	if (!size)
		return -EINVAL;
	/* Zeroed, so that no reader ever sees what the memory held before. */
	mem = __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!mem)
		return -ENOMEM;
	ring->user = __vmalloc(PAGE_SIZE, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!ring->user) {
		vfree(mem);
		return -ENOMEM;
	}

	ring->info = mem;
	ring->slots = mem + PAGE_SIZE;
	ring->mask = roundup_pow_of_two(nr_slots) - 1;
	ring->slot_size = slot_bytes(nr_counts);
	ring->nr_counts = nr_counts;
	ring->size = size;
	atomic64_set(&ring->lost_reported, 0);

	ring->info->nr_slots = ring->mask + 1;
	ring->info->slot_size = ring->slot_size;
	ring->info->data_offset = PAGE_SIZE;

	return 0;
}

/**
 * pmc_ring_free() - free a ring
 * @ring: the ring, without users. One that was never allocated must be all
 *	zeroes
 *
 * Memory that is still mapped stays until it is unmapped.
 *
 * Context: process context, may sleep.
 */
void pmc_ring_free(struct pmc_ring *ring)
{
	vfree(ring->info);
	vfree(ring->user);
	memset(ring, 0, sizeof(*ring));
}

/* Tell, in a record, of the records lost since the one before. */
static noinline u32 claim_lost(struct pmc_ring *ring)
{
	s64 lost, reported = atomic64_read(&ring->lost_reported);

	do {
		lost = atomic64_read(counter(&ring->info->lost));
		/* Lost records above the field's maximum are left to the next record. */
		lost = min_t(s64, lost, reported + U32_MAX);
		if (lost <= reported)
			return 0;
	} while (!atomic64_try_cmpxchg(&ring->lost_reported, &reported, lost));

	return lost - reported;
}

/*
 * By hand: for memset() the compiler emits a call, as long again as all the
 * rest of a reservation.
 */
static void clear_header(struct pmc_record *record)
{
	record->time = 0;
	record->elapsed = 0;
	record->running = 0;
	record->pid = 0;
	record->tid = 0;
	record->cpu = 0;
	record->core_type = 0;
	record->set = 0;
	record->event = 0;
	record->nr_counts = 0;
	record->flags = 0;
	record->lost = 0;
	record->ebs_slot = 0;
	record->nr_virtual = 0;
}

/**
 * pmc_ring_reserve() - get a place for a record
 * @ring: the ring
 * @pos: out: the record's number, from 0, for pmc_ring_commit()
 *
 * Each reservation MUST be committed by the same caller, whatever happens in
 * between, and without sleeping: there is no way to give one back, and the
 * reader waits at it. Have the values at hand before.
 *
 * In the record, everything but seq and counts is zeroed, and lost filled in.
 * counts holds counts of an earlier record of this session; write nr_counts and
 * nr_virtual of them. Leave seq alone.
 *
 * Context: any, NMI too. Preemption should be off, or a reader may wait for
 * long.
 * Return: the record, or NULL when the ring is full, which counts the record
 * as lost.
 */
struct pmc_record *pmc_ring_reserve(struct pmc_ring *ring, u64 *pos)
{
	atomic64_t *head_counter = counter(&ring->info->head);
	struct pmc_record *record;
	u64 tail;
	s64 head;

	/*
	 * Head before tail: a tail that is older than the head can make the
	 * ring look fuller than it is, never emptier. In the wrong order a
	 * true tail could be ahead of the head and look like a corrupt one.
	 */
	head = atomic64_read_acquire(head_counter);
	for (;;) {
		/* Pairs with the release of the slots by the reader. */
		tail = load_acquire(&ring->user->tail);
		if (unlikely(head - tail > ring->mask)) {
			s64 now = atomic64_read_acquire(head_counter);

			/* No room, or was it just the head that is old? */
			if (now == head)
				goto full;
			head = now;
			continue;
		}
		/* Nothing passes from writer to writer: needs no order. */
		if (likely(atomic64_try_cmpxchg_relaxed(head_counter, &head,
							head + 1)))
			break;
	}

	/* pmc_ring_copy() sees that the head has moved on before it sees what is written. */
	smp_wmb();
	record = slot_at(ring, head);
	clear_header(record);
	if (unlikely(atomic64_read(counter(&ring->info->lost)) !=
		     atomic64_read(&ring->lost_reported)))
		record->lost = claim_lost(ring);
	*pos = head;

	return record;

full:
	atomic64_inc(counter(&ring->info->lost));
	return NULL;
}

/**
 * pmc_ring_commit() - let the reader have a record
 * @ring: the ring
 * @record: what pmc_ring_reserve() returned
 * @pos: the number it gave
 *
 * Does not wake the reader: see pmc_ring_pending().
 *
 * Context: that of pmc_ring_reserve().
 */
void pmc_ring_commit(struct pmc_ring *ring, struct pmc_record *record, u64 pos)
{
	/* The record is complete before it can be seen to be there. */
	store_release(&record->seq, pos + 1);
}

/**
 * pmc_ring_throttled() - count EBS interrupts that were held back
 * @ring: the ring; those of monitoring modules and schedulers have no memory
 * @nr: how many
 *
 * Context: any, NMI too.
 */
void pmc_ring_throttled(struct pmc_ring *ring, u64 nr)
{
	if (ring->info)
		atomic64_add(nr, counter(&ring->info->throttled));
}

/**
 * pmc_ring_note_loss() - counts of the session are too small from here on
 * @ring: the ring; those of monitoring modules and schedulers have no memory
 *
 * A record that says so may find no room.
 *
 * Context: any, NMI too.
 */
void pmc_ring_note_loss(struct pmc_ring *ring)
{
	if (ring->info)
		atomic64_inc(counter(&ring->info->losses));
}

/**
 * pmc_ring_lost() - how many records found no room
 * @ring: the ring
 *
 * Context: any.
 * Return: the number since the ring was made.
 */
u64 pmc_ring_lost(const struct pmc_ring *ring)
{
	return atomic64_read(counter(&ring->info->lost));
}

/*
 * The reader's position. A tail that cannot be true is taken for that of a
 * reader that has read nothing for a whole round: all slots are delivered, and
 * the true tail with them.
 */
static u64 reader_pos(const struct pmc_ring *ring, u64 *pending)
{
	u64 head, tail;

	/* Tail before head, or a writer could come between and pass it. */
	tail = load_acquire(&ring->user->tail);
	head = atomic64_read(counter(&ring->info->head));

	if (head - tail > nr_slots(ring))
		tail = head - min(head, nr_slots(ring));
	*pending = head - tail;

	return tail;
}

static bool is_committed(const struct pmc_ring *ring, u64 pos)
{
	/* Pairs with pmc_ring_commit(). */
	return load_acquire(&slot_at(ring, pos)->seq) == pos + 1;
}

/**
 * pmc_ring_ready() - whether there is a record to read
 * @ring: the ring
 *
 * Context: any.
 * Return: true when pmc_ring_read() would find one.
 */
bool pmc_ring_ready(const struct pmc_ring *ring)
{
	u64 pending;

	return is_committed(ring, reader_pos(ring, &pending));
}

/**
 * pmc_ring_pending() - how many records the reader has not read
 * @ring: the ring
 *
 * Records that are being written are among them.
 *
 * Context: any, NMI too.
 * Return: the number, at most that of the slots.
 */
u64 pmc_ring_pending(const struct pmc_ring *ring)
{
	u64 pending;

	reader_pos(ring, &pending);

	return pending;
}

/* Counts of a record, and its name. */
static u32 count_all(const struct pmc_ring *ring, const struct pmc_record *record)
{
	u32 nr = READ_ONCE(record->nr_counts) + READ_ONCE(record->nr_virtual);

	if (READ_ONCE(record->flags) & PMC_REC_NAME)
		nr += PMC_NAME_LEN / sizeof(u64);
	if (READ_ONCE(record->flags) & PMC_REC_ADDRESS)
		nr++;
	return min(nr, ring->nr_counts);
}

/**
 * pmc_ring_read() - hand records to read()
 * @ring: the ring
 * @buf: where to, in user space
 * @len: room there, in bytes
 *
 * Delivers whole records, each of sizeof(struct pmc_record) and its counts,
 * virtual ones with them, and its name, as many as there are and as fit, and moves the tail
 * behind them.
 * Readers must be serialised by the caller. A reader that uses the mapping at
 * the same time may get records twice, or torn.
 *
 * Context: process context, may sleep and fault.
 * Return: bytes written, 0 when no record is ready, -EINVAL when not even one
 * fits, -EFAULT.
 */
ssize_t pmc_ring_read(struct pmc_ring *ring, char __user *buf, size_t len)
{
	ssize_t ret = 0;
	size_t done = 0;
	u64 pos, pending;

	for (pos = reader_pos(ring, &pending); is_committed(ring, pos); pos++) {
		const struct pmc_record *record = slot_at(ring, pos);
		size_t size = struct_size(record, counts, count_all(ring, record));

		if (size > len - done) {
			ret = -EINVAL;
			break;
		}
		if (copy_to_user(buf + done, record, size)) {
			ret = -EFAULT;
			break;
		}
		done += size;
	}
	if (!done)
		return ret;

	/* Pairs with pmc_ring_reserve(): the slots are read, write them. */
	store_release(&ring->user->tail, pos);

	return done;
}

/**
 * pmc_ring_oldest - the first record that nobody has written over
 * @ring: the ring
 *
 * Context: any.
 * Return: its number, from 0.
 */
u64 pmc_ring_oldest(const struct pmc_ring *ring)
{
	u64 head = atomic64_read_acquire(counter(&ring->info->head));

	return head - min(head, nr_slots(ring));
}

/**
 * pmc_ring_copy - copy records without being the ring's reader
 * @ring: the ring
 * @pos: number of the next record to copy, from 0; moved behind the last one copied
 * @lost: out: incremented by the records that were written over before they were copied
 * @buf: where to
 * @len: room there, in bytes: at least a slot
 *
 * The records have the form of pmc_ring_read(). Writers may write over a record that the
 * ring's reader has read.
 *
 * Context: any but NMI.
 * Return: bytes written.
 */
size_t pmc_ring_copy(const struct pmc_ring *ring, u64 *pos, u64 *lost, void *buf, size_t len)
{
	size_t done = 0;

	for (;;) {
		u64 oldest = pmc_ring_oldest(ring);
		const struct pmc_record *record;
		size_t size;

		if (*pos < oldest) {
			*lost += oldest - *pos;
			*pos = oldest;
		}
		if (!is_committed(ring, *pos))
			break;
		record = slot_at(ring, *pos);
		size = struct_size(record, counts, count_all(ring, record));
		if (size > len - done)
			break;
		memcpy(buf + done, record, size);
		/* A writer moves the head on before it writes. Pairs with pmc_ring_reserve(). */
		smp_rmb();
		if (pmc_ring_oldest(ring) > *pos)
			continue;
		done += size;
		++*pos;
	}
	return done;
}

/*
 * Page by page: the memory is the client's to pay for, which vmalloc_user()'s
 * is not, and remap_vmalloc_range() takes no other.
 */
static int map(struct vm_area_struct *vma, void *mem, size_t size)
{
	size_t at;
	int ret;

	for (at = 0; at < size; at += PAGE_SIZE) {
		ret = vm_insert_page(vma, vma->vm_start + at,
				     vmalloc_to_page(mem + at));
		if (ret)
			return ret;
	}
	return 0;
}

/* A mapping is its process's own and of its size. */
#define KEPT_FLAGS	(VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP)

/**
 * pmc_ring_mmap() - map the ring
 * @ring: the ring; must not be freed while @vma's file is open
 * @vma: the mapping wanted: at PMC_MMAP_RING up to struct pmc_ring_info and
 *	all slots, read-only for good, or at PMC_MMAP_CONSUMER the one page of
 *	struct pmc_ring_user
 *
 * Children do not inherit the mapping, and it cannot be made to be inherited
 * (VM_IO): it holds the session's file open.
 *
 * Context: process context, mmap_lock held for writing.
 * Return: 0, -EINVAL for another offset or length or a private mapping,
 * -EPERM when the ring would be writable, or the error of the mapping.
 */
int pmc_ring_mmap(struct pmc_ring *ring, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	size_t size = vma->vm_end - vma->vm_start;

	/* A private mapping would stop being the ring once written to. */
	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;

	switch (offset) {
	case PMC_MMAP_RING:
		if (size > ring->size)
			return -EINVAL;
		if (vma->vm_flags & VM_WRITE)
			return -EPERM;
		pmc_vm_flags_mod(vma, KEPT_FLAGS, VM_MAYWRITE);
		return map(vma, ring->info, size);
	case PMC_MMAP_CONSUMER:
		if (size != PAGE_SIZE)
			return -EINVAL;
		pmc_vm_flags_mod(vma, KEPT_FLAGS, 0);
		return map(vma, ring->user, size);
	default:
		return -EINVAL;
	}
}

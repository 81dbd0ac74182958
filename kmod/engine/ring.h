/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring a session's records travel through to the reader.
 */
#ifndef PMC_RING_H
#define PMC_RING_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/types.h>

#include "uapi/pmctrack.h"

struct vm_area_struct;

/* Room in the longest record, in counts: a thread's name may follow them. */
#define PMC_RING_COUNTS_MAX	(PMC_MAX_COUNTS + PMC_NAME_LEN / sizeof(u64))

/**
 * struct pmc_ring - a ring of records: many writers, one reader
 * @info: first page of the memory user space maps read-only. Its head and
 *	lost are the counters the writers themselves work on
 * @slots: slot 0, in the same memory
 * @user: the page user space writes: nothing in it is to be trusted
 * @mask: number of slots less one
 * @slot_size: bytes from one slot to the next
 * @nr_counts: counts a slot has room for
 * @size: bytes of the read-only mapping
 * @lost_reported: lost records that records have reported
 */
struct pmc_ring {
	struct pmc_ring_info *info;
	void *slots;
	struct pmc_ring_user *user;
	u32 mask;
	u32 slot_size;
	u32 nr_counts;
	size_t size;
	atomic64_t lost_reported ____cacheline_aligned_in_smp;
};

u64 pmc_ring_bytes(u32 nr_slots, u32 nr_counts);
int pmc_ring_alloc(struct pmc_ring *ring, u32 nr_slots, u32 nr_counts);
void pmc_ring_free(struct pmc_ring *ring);

struct pmc_record *pmc_ring_reserve(struct pmc_ring *ring, u64 *pos);
void pmc_ring_commit(struct pmc_ring *ring, struct pmc_record *record, u64 pos);
void pmc_ring_throttled(struct pmc_ring *ring, u64 nr);
void pmc_ring_note_loss(struct pmc_ring *ring);

bool pmc_ring_ready(const struct pmc_ring *ring);
u64 pmc_ring_pending(const struct pmc_ring *ring);
u64 pmc_ring_lost(const struct pmc_ring *ring);
u64 pmc_ring_oldest(const struct pmc_ring *ring);
size_t pmc_ring_copy(const struct pmc_ring *ring, u64 *pos, u64 *lost, void *buf, size_t len);
ssize_t pmc_ring_read(struct pmc_ring *ring, char __user *buf, size_t len);
int pmc_ring_mmap(struct pmc_ring *ring, struct vm_area_struct *vma);

#endif /* PMC_RING_H */

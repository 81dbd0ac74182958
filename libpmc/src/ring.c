// SPDX-License-Identifier: LGPL-2.1-or-later
/* The reader's side of the mapped ring of samples. */
#include <sys/mman.h>
#include <unistd.h>

#include "forks.h"
#include "ring.h"

int ring_map(struct ring *ring, int fd)
{
	size_t page = sysconf(_SC_PAGESIZE);
	const struct pmc_ring_info *info;
	void *map;

	/* The first page contains the size of the whole ring. */
	info = mmap(NULL, page, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);
	if (info == MAP_FAILED)
		return -1;
	ring->size = info->data_offset + (size_t)info->nr_slots * info->slot_size;
	ring->size = (ring->size + page - 1) & ~(page - 1);
	munmap((void *)info, page);

	map = mmap(NULL, ring->size, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);
	if (map == MAP_FAILED)
		return -1;
	ring->user = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  PMC_MMAP_CONSUMER);
	if (ring->user == MAP_FAILED) {
		munmap(map, ring->size);
		return -1;
	}
	ring->process = forks_process();
	ring->info = map;
	ring->tail = ring->user->tail;
	return 0;
}

void ring_unmap(struct ring *ring)
{
	/* In a child, something else may be mapped at this address. */
	if (ring_is_ours(ring)) {
		munmap((void *)ring->info, ring->size);
		munmap(ring->user, sysconf(_SC_PAGESIZE));
	}
	ring->info = NULL;
}

int ring_is_ours(const struct ring *ring)
{
	return ring->info && ring->process == forks_process();
}

const struct pmc_record *ring_peek(const struct ring *ring)
{
	const struct pmc_ring_info *info = ring->info;
	const struct pmc_record *record;
	__u64 slot = ring->tail & (info->nr_slots - 1);

	record = (const void *)((const char *)info + info->data_offset + slot * info->slot_size);
	if (__atomic_load_n(&record->seq, __ATOMIC_ACQUIRE) != ring->tail + 1)
		return NULL;
	return record;
}

void ring_consume(struct ring *ring)
{
	/* Release: the kernel may write the slot again only after the reads above. */
	__atomic_store_n(&ring->user->tail, ++ring->tail, __ATOMIC_RELEASE);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * The ring: the contract of each call, and its behaviour if the reader's page or memory
 * cannot be trusted. test_ring_stress.c has writers and readers at the same time.
 */
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "engine/ring.h"
#include "unit.h"

#define NR_SLOTS	8
#define NR_COUNTS	3
#define RECORD_SIZE	(sizeof(struct pmc_record) + NR_COUNTS * sizeof(u64))

static int setup(void **state)
{
	struct pmc_ring *ring = aligned_alloc(SMP_CACHE_BYTES,
					      ALIGN(sizeof(*ring), SMP_CACHE_BYTES));

	assert_non_null(ring);
	assert_int_equal(pmc_ring_alloc(ring, NR_SLOTS, NR_COUNTS), 0);
	*state = ring;

	return 0;
}

static int teardown(void **state)
{
	pmc_ring_free(*state);
	free(*state);
	shim_allocations_left = -1;
	shim_user_bytes_left = ULONG_MAX;

	return 0;
}

/* Write one record that bears a number; false when there was no room. */
static bool put(struct pmc_ring *ring, u64 number)
{
	struct pmc_record *record;
	unsigned int i;
	u64 pos;

	record = pmc_ring_reserve(ring, &pos);
	if (!record)
		return false;

	record->time = number;
	record->nr_counts = NR_COUNTS;
	for (i = 0; i < NR_COUNTS; i++)
		record->counts[i] = number * 10 + i;
	pmc_ring_commit(ring, record, pos);

	return true;
}

/* Read one record with read(); its number. */
static u64 get(struct pmc_ring *ring)
{
	u64 buf[RECORD_SIZE / sizeof(u64)];
	struct pmc_record *record = (void *)buf;
	unsigned int i;

	assert_int_equal(pmc_ring_read(ring, (void *)buf, sizeof(buf)),
			 RECORD_SIZE);
	for (i = 0; i < NR_COUNTS; i++)
		assert_int_equal(record->counts[i], record->time * 10 + i);

	return record->time;
}

static void empty(void **state)
{
	struct pmc_ring *ring = *state;
	char buf[RECORD_SIZE];

	assert_false(pmc_ring_ready(ring));
	assert_int_equal(pmc_ring_pending(ring), 0);
	assert_int_equal(pmc_ring_lost(ring), 0);
	assert_int_equal(pmc_ring_read(ring, buf, sizeof(buf)), 0);
}

static void layout(void **state)
{
	struct pmc_ring *ring = *state;

	assert_int_equal(sizeof(struct pmc_record), 64);
	assert_int_equal(ring->info->nr_slots, NR_SLOTS);
	assert_int_equal(ring->info->data_offset, PAGE_SIZE);
	assert_int_equal(ring->info->slot_size, 128);
	assert_true(ring->size >= PAGE_SIZE + NR_SLOTS * 128);
	assert_int_equal(ring->size % PAGE_SIZE, 0);
	assert_ptr_equal(ring->slots, (char *)ring->info + PAGE_SIZE);
}

static void records_come_out_in_order(void **state)
{
	struct pmc_ring *ring = *state;
	u64 in = 0, out = 0;

	/* Several rounds, with every number of records in the ring. */
	while (in < 20 * NR_SLOTS) {
		unsigned int n = 1 + in % NR_SLOTS;

		for (; n && in - out < NR_SLOTS; n--)
			assert_true(put(ring, in++));
		assert_int_equal(pmc_ring_pending(ring), in - out);
		for (n = 1 + in % 5; n && out < in; n--) {
			assert_true(pmc_ring_ready(ring));
			assert_int_equal(get(ring), out++);
		}
		assert_int_equal(ring->info->head, in);
		assert_int_equal(ring->user->tail, out);
	}
	assert_int_equal(pmc_ring_lost(ring), 0);
}

/* Properties that a reader of the mapping relies on. */
static void a_slot_identifies_its_record(void **state)
{
	struct pmc_ring *ring = *state;
	u64 pos;

	for (pos = 0; pos < 3 * NR_SLOTS; pos++) {
		struct pmc_record *slot = (void *)((char *)ring->info +
			ring->info->data_offset +
			(pos & (ring->info->nr_slots - 1)) *
			ring->info->slot_size);

		assert_true(slot->seq != pos + 1);
		assert_true(put(ring, pos));
		assert_int_equal(slot->seq, pos + 1);
		assert_int_equal(slot->time, pos);
		ring->user->tail = pos + 1;
	}
}

static void a_full_ring_loses_and_says_so(void **state)
{
	struct pmc_ring *ring = *state;
	char buf[NR_SLOTS * RECORD_SIZE];
	struct pmc_record *record;
	unsigned int i;
	u64 pos;

	for (i = 0; i < NR_SLOTS; i++)
		assert_true(put(ring, i));
	for (i = 0; i < 5; i++)
		assert_false(put(ring, 100 + i));
	assert_int_equal(pmc_ring_lost(ring), 5);
	assert_int_equal(ring->info->lost, 5);
	assert_int_equal(ring->info->head, NR_SLOTS);
	assert_int_equal(pmc_ring_pending(ring), NR_SLOTS);

	/* The records in the ring are unchanged. */
	for (i = 0; i < 2; i++)
		assert_int_equal(get(ring), i);

	/* The next record that finds room reports the losses, the one after does not. */
	record = pmc_ring_reserve(ring, &pos);
	assert_non_null(record);
	assert_int_equal(pos, NR_SLOTS);
	assert_int_equal(record->lost, 5);
	pmc_ring_commit(ring, record, pos);
	record = pmc_ring_reserve(ring, &pos);
	assert_int_equal(record->lost, 0);
	pmc_ring_commit(ring, record, pos);

	assert_false(put(ring, 0));
	assert_int_equal(pmc_ring_read(ring, buf, sizeof(buf)),
			 6 * RECORD_SIZE + 2 * sizeof(struct pmc_record));
	record = pmc_ring_reserve(ring, &pos);
	assert_int_equal(record->lost, 1);
	pmc_ring_commit(ring, record, pos);
	assert_int_equal(ring->info->lost, 6);
}

static void more_losses_than_a_record_can_report(void **state)
{
	struct pmc_ring *ring = *state;
	struct pmc_record *record;
	u64 pos;

	ring->info->lost = U32_MAX + 7ULL;
	record = pmc_ring_reserve(ring, &pos);
	assert_int_equal(record->lost, U32_MAX);
	pmc_ring_commit(ring, record, pos);
	record = pmc_ring_reserve(ring, &pos);
	assert_int_equal(record->lost, 7);
	pmc_ring_commit(ring, record, pos);
}

static void a_reserved_record_is_clean(void **state)
{
	struct pmc_ring *ring = *state;
	unsigned int round;

	for (round = 0; round < 2 * NR_SLOTS; round++) {
		struct pmc_record *record, want = { 0 };
		u64 pos;

		record = pmc_ring_reserve(ring, &pos);
		assert_non_null(record);
		assert_int_equal(record->seq,
				 round < NR_SLOTS ? 0 : round - NR_SLOTS + 1);
		want.seq = record->seq;
		assert_memory_equal(record, &want, sizeof(want));

		/* Leave random contents for the next writers. */
		memset((char *)record + sizeof(record->seq), 0xaa,
		       RECORD_SIZE - sizeof(record->seq));
		record->nr_counts = NR_COUNTS;
		pmc_ring_commit(ring, record, pos);
		ring->user->tail = pos + 1;
	}
}

static void counts_are_zero_before_they_are_written(void **state)
{
	struct pmc_ring *ring = *state;
	unsigned int i, c;

	for (i = 0; i < NR_SLOTS; i++) {
		u64 pos;
		struct pmc_record *record = pmc_ring_reserve(ring, &pos);

		for (c = 0; c < NR_COUNTS; c++)
			assert_int_equal(record->counts[c], 0);
		pmc_ring_commit(ring, record, pos);
	}
}

static void the_reader_waits_for_what_is_being_written(void **state)
{
	struct pmc_ring *ring = *state;
	struct pmc_record *first, *second;
	u64 pos1, pos2;
	char buf[2 * RECORD_SIZE];

	/* In the first round, and when the slots hold records of the last. */
	while (ring->info->head < 3 * NR_SLOTS) {
		first = pmc_ring_reserve(ring, &pos1);
		assert_false(pmc_ring_ready(ring));

		/* An interrupt comes in between, and completes its record first. */
		second = pmc_ring_reserve(ring, &pos2);
		assert_int_equal(pos2, pos1 + 1);
		assert_true(first != second);
		pmc_ring_commit(ring, second, pos2);
		assert_false(pmc_ring_ready(ring));
		assert_int_equal(pmc_ring_pending(ring), 2);
		assert_int_equal(pmc_ring_read(ring, buf, sizeof(buf)), 0);

		pmc_ring_commit(ring, first, pos1);
		assert_true(pmc_ring_ready(ring));
		assert_int_equal(pmc_ring_read(ring, buf, sizeof(buf)),
				 2 * sizeof(struct pmc_record));
	}
}

static void read_gives_whole_records_of_their_own_length(void **state)
{
	static const u8 nr_counts[] = { 3, 0, 1, 2 };
	struct pmc_ring *ring = *state;
	struct pmc_record *record;
	unsigned int i;
	u64 buf[64];
	char *p = (char *)buf;
	u64 pos;

	for (i = 0; i < ARRAY_SIZE(nr_counts); i++) {
		record = pmc_ring_reserve(ring, &pos);
		record->nr_counts = nr_counts[i];
		memset(record->counts, 0x10 + i, nr_counts[i] * sizeof(u64));
		pmc_ring_commit(ring, record, pos);
	}

	/* No room for the third. */
	memset(buf, 0xee, sizeof(buf));
	assert_int_equal(pmc_ring_read(ring, p, 88 + 64 + 71), 88 + 64);
	assert_int_equal(p[88 + 64], (char)0xee);
	assert_int_equal(ring->user->tail, 2);
	record = (void *)p;
	assert_int_equal(record->seq, 1);
	assert_int_equal(record->counts[2], 0x1010101010101010ULL);
	record = (void *)(p + 88);
	assert_int_equal(record->seq, 2);

	/* Not even one. */
	assert_int_equal(pmc_ring_read(ring, p, 71), -EINVAL);
	assert_int_equal(pmc_ring_read(ring, p, 0), -EINVAL);
	assert_int_equal(ring->user->tail, 2);

	assert_int_equal(pmc_ring_read(ring, p, 72 + 80), 72 + 80);
	assert_int_equal(pmc_ring_pending(ring), 0);
}

static void virtual_values_go_with_their_record(void **state)
{
	struct pmc_ring *ring = *state;
	u64 buf[2 * RECORD_SIZE / sizeof(u64)], pos;
	struct pmc_record *record = pmc_ring_reserve(ring, &pos);

	record->nr_counts = 1;
	record->nr_virtual = 2;
	record->counts[2] = 0x1234;
	pmc_ring_commit(ring, record, pos);
	assert_true(put(ring, 1));
	assert_int_equal(pmc_ring_read(ring, (void *)buf, sizeof(buf)), 2 * RECORD_SIZE);
	record = (void *)buf;
	assert_int_equal(record->counts[2], 0x1234);
}

static void a_name_goes_with_its_record(void **state)
{
	u64 buf[3 * RECORD_SIZE / sizeof(u64)], pos;
	struct pmc_ring *ring = *state;
	struct pmc_record *record = pmc_ring_reserve(ring, &pos);

	record->nr_counts = 1;
	record->flags = PMC_REC_NAME;
	memcpy(&record->counts[1], "fifteen bytes!!", PMC_NAME_LEN);
	pmc_ring_commit(ring, record, pos);
	assert_true(put(ring, 1));
	assert_int_equal(pmc_ring_read(ring, (void *)buf, sizeof(buf)), 2 * RECORD_SIZE);
	record = (void *)buf;
	assert_memory_equal(&record->counts[1], "fifteen bytes!!", PMC_NAME_LEN);
	/* A name that no slot has room for cannot be read. */
	record = pmc_ring_reserve(ring, &pos);
	record->nr_counts = NR_COUNTS;
	record->flags = PMC_REC_NAME;
	pmc_ring_commit(ring, record, pos);
	assert_int_equal(pmc_ring_read(ring, (void *)buf, sizeof(buf)), RECORD_SIZE);
}

static void more_counts_than_a_slot_has_are_not_read(void **state)
{
	struct pmc_ring *ring = *state;
	struct pmc_record *record;
	char buf[4096];
	u64 pos;

	record = pmc_ring_reserve(ring, &pos);
	record->nr_counts = 255;
	pmc_ring_commit(ring, record, pos);
	assert_int_equal(pmc_ring_read(ring, buf, sizeof(buf)), RECORD_SIZE);
}

static void memory_that_is_not_there_costs_no_record(void **state)
{
	struct pmc_ring *ring = *state;
	char buf[3 * RECORD_SIZE];
	unsigned int i;

	for (i = 0; i < 3; i++)
		put(ring, i);
	shim_user_bytes_left = RECORD_SIZE + 8;
	assert_int_equal(pmc_ring_read(ring, buf, sizeof(buf)), RECORD_SIZE);
	assert_int_equal(pmc_ring_read(ring, buf, sizeof(buf)), -EFAULT);
	shim_user_bytes_left = ULONG_MAX;
	assert_int_equal(get(ring), 1);
	assert_int_equal(get(ring), 2);
}

static void a_corrupt_tail_means_full(void **state)
{
	static const s64 wrong[] = {
		1, 2, NR_SLOTS, 1000000, S64_MAX, -NR_SLOTS - 1, -1000000,
		-S64_MAX - 1,
	};
	struct pmc_ring *ring = *state;
	unsigned int i;
	u64 lost = 0;

	for (i = 0; i < 3 * NR_SLOTS; i++) {
		put(ring, i);
		ring->user->tail = ring->info->head;
	}
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		ring->user->tail = ring->info->head + wrong[i];
		assert_false(put(ring, 0));
		assert_int_equal(pmc_ring_lost(ring), ++lost);
		assert_int_equal(pmc_ring_pending(ring), NR_SLOTS);
		assert_true(pmc_ring_ready(ring));
	}

	/* Reading repairs the tail: the records in the slots are read. */
	for (i = 0; i < NR_SLOTS; i++)
		assert_int_equal(get(ring), 2 * NR_SLOTS + i);
	assert_false(pmc_ring_ready(ring));
	assert_true(put(ring, 5));
	assert_int_equal(get(ring), 5);
}

static void a_corrupt_tail_in_the_first_round(void **state)
{
	struct pmc_ring *ring = *state;

	put(ring, 1);
	put(ring, 2);
	ring->user->tail = 77;
	assert_false(put(ring, 3));
	assert_int_equal(get(ring), 1);
	assert_int_equal(get(ring), 2);
	assert_int_equal(pmc_ring_pending(ring), 0);
	assert_true(put(ring, 4));
}

static void a_tail_set_back_repeats_records(void **state)
{
	struct pmc_ring *ring = *state;
	unsigned int i;

	for (i = 0; i < 4; i++)
		put(ring, i);
	for (i = 0; i < 4; i++)
		get(ring);
	ring->user->tail = 2;
	assert_int_equal(get(ring), 2);
	assert_int_equal(get(ring), 3);
	assert_false(pmc_ring_ready(ring));
}

static void throttled_interrupts_are_counted(void **state)
{
	struct pmc_ring *ring = *state;

	pmc_ring_throttled(ring, 3);
	pmc_ring_throttled(ring, 4);
	assert_int_equal(ring->info->throttled, 7);
}

static void losses_are_counted_where_records_find_no_room(void **state)
{
	struct pmc_ring *ring = *state;

	pmc_ring_note_loss(ring);
	while (put(ring, 0))
		;
	pmc_ring_note_loss(ring);
	assert_int_equal(ring->info->losses, 2);
}

/* Monitoring modules sample by event count, and lose counters, too. */
static void consumers_without_a_ring_are_throttled(void **state)
{
	struct pmc_ring none = { };

	(void)state;
	pmc_ring_throttled(&none, 1);
	pmc_ring_note_loss(&none);
	assert_null(none.info);
}

static void sizes(void **state)
{
	static const struct {
		u32 asked, got;
	} cases[] = { { 1, 1 }, { 2, 2 }, { 3, 4 }, { 1000, 1024 } };
	struct pmc_ring ring;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(pmc_ring_alloc(&ring, cases[i].asked,
						PMC_MAX_COUNTS), 0);
		assert_int_equal(ring.info->nr_slots, cases[i].got);
		assert_int_equal(ring.info->slot_size, 320);
		assert_int_equal(pmc_ring_bytes(cases[i].asked, PMC_MAX_COUNTS),
				 ring.size + PAGE_SIZE);
		pmc_ring_free(&ring);
		assert_null(ring.info);
		assert_null(ring.user);
	}

	assert_int_equal(pmc_ring_alloc(&ring, 0, 1), -EINVAL);
	assert_int_equal(pmc_ring_alloc(&ring, 8, PMC_RING_COUNTS_MAX), 0);
	assert_in_range(ring.info->slot_size,
			sizeof(struct pmc_record) + PMC_MAX_COUNTS * sizeof(u64) + PMC_NAME_LEN,
			SIZE_MAX);
	pmc_ring_free(&ring);
	assert_int_equal(pmc_ring_alloc(&ring, 8, PMC_RING_COUNTS_MAX + 1), -EINVAL);
	assert_int_equal(pmc_ring_alloc(&ring, U32_MAX, 1), -EINVAL);
	assert_int_equal(pmc_ring_alloc(&ring, 0x80000001, 1), -EINVAL);
	/* One GiB plus the first page exceeds the limit. */
	assert_int_equal(pmc_ring_alloc(&ring, 0x1000000, 0), -EINVAL);
	assert_int_equal(pmc_ring_bytes(0x1000000, 0), 0);
	assert_int_equal(pmc_ring_bytes(0, 1), 0);
}

static void a_ring_of_one_slot(void **state)
{
	struct pmc_ring ring;
	unsigned int i;

	assert_int_equal(pmc_ring_alloc(&ring, 1, NR_COUNTS), 0);
	for (i = 0; i < 5; i++) {
		assert_true(put(&ring, i));
		assert_false(put(&ring, 99));
		assert_int_equal(get(&ring), i);
	}
	pmc_ring_free(&ring);
}

static void failing_allocations(void **state)
{
	struct pmc_ring ring;
	int n;

	for (n = 0; n < 2; n++) {
		shim_allocations_left = n;
		assert_int_equal(pmc_ring_alloc(&ring, 8, 1), -ENOMEM);
	}
	shim_allocations_left = 2;
	assert_int_equal(pmc_ring_alloc(&ring, 8, 1), 0);
	pmc_ring_free(&ring);

	memset(&ring, 0, sizeof(ring));
	pmc_ring_free(&ring);
}

static struct vm_area_struct mapping(u64 offset, unsigned long size,
				     unsigned long flags)
{
	return (struct vm_area_struct){
		.vm_start = 0x10000000,
		.vm_end = 0x10000000 + size,
		.vm_pgoff = offset >> PAGE_SHIFT,
		.vm_flags = flags,
	};
}

/* A mapping belongs to its process, and has exactly the ring's size. */
#define KEPT (VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP)

static void the_ring_is_mapped_read_only(void **state)
{
	struct pmc_ring *ring = *state;
	struct vm_area_struct vma;

	vma = mapping(PMC_MMAP_RING, ring->size, VM_SHARED | VM_MAYWRITE);
	assert_int_equal(pmc_ring_mmap(ring, &vma), 0);
	assert_ptr_equal(vma.mapped, ring->info);
	assert_int_equal(vma.vm_flags, VM_SHARED | KEPT);

	vma = mapping(PMC_MMAP_RING, PAGE_SIZE, VM_SHARED | VM_MAYWRITE);
	assert_int_equal(pmc_ring_mmap(ring, &vma), 0);

	vma = mapping(PMC_MMAP_RING, ring->size,
		      VM_SHARED | VM_MAYWRITE | VM_WRITE);
	assert_int_equal(pmc_ring_mmap(ring, &vma), -EPERM);
	assert_null(vma.mapped);
	vma = mapping(PMC_MMAP_RING, ring->size + PAGE_SIZE, VM_SHARED);
	assert_int_equal(pmc_ring_mmap(ring, &vma), -EINVAL);
	vma = mapping(PMC_MMAP_RING, ring->size, VM_MAYWRITE);
	assert_int_equal(pmc_ring_mmap(ring, &vma), -EINVAL);
	vma = mapping(PMC_MMAP_RING + PAGE_SIZE, PAGE_SIZE, VM_SHARED);
	assert_int_equal(pmc_ring_mmap(ring, &vma), -EINVAL);
	assert_null(vma.mapped);
}

static void the_readers_page_is_mapped_writable(void **state)
{
	struct pmc_ring *ring = *state;
	struct vm_area_struct vma;

	vma = mapping(PMC_MMAP_CONSUMER, PAGE_SIZE,
		      VM_SHARED | VM_WRITE | VM_MAYWRITE);
	assert_int_equal(pmc_ring_mmap(ring, &vma), 0);
	assert_ptr_equal(vma.mapped, ring->user);
	assert_int_equal(vma.vm_flags,
			 VM_SHARED | VM_WRITE | VM_MAYWRITE | KEPT);

	vma = mapping(PMC_MMAP_CONSUMER, 2 * PAGE_SIZE, VM_SHARED | VM_WRITE);
	assert_int_equal(pmc_ring_mmap(ring, &vma), -EINVAL);
	vma = mapping(PMC_MMAP_CONSUMER, PAGE_SIZE, VM_WRITE);
	assert_int_equal(pmc_ring_mmap(ring, &vma), -EINVAL);
	vma = mapping(PMC_MMAP_CALIPER, PAGE_SIZE, VM_SHARED);
	assert_int_equal(pmc_ring_mmap(ring, &vma), -EINVAL);
	assert_null(vma.mapped);
}

/* Someone who is not the reader copies records: all that nobody has written over. */
static void copied(void **state)
{
	u64 buf[2 * RECORD_SIZE / sizeof(u64)], pos = 0, lost = 0, i;
	struct pmc_record *record = (void *)buf;
	struct pmc_ring *ring = *state;

	assert_int_equal(pmc_ring_copy(ring, &pos, &lost, buf, sizeof(buf)), 0);
	for (i = 0; i < 3; i++)
		assert_true(put(ring, i));
	assert_int_equal(get(ring), 0);
	assert_int_equal(pmc_ring_copy(ring, &pos, &lost, buf, sizeof(buf)), 2 * RECORD_SIZE);
	assert_int_equal(pos, 2);
	assert_int_equal(record->time, 0);
	record = (void *)((char *)buf + RECORD_SIZE);
	assert_int_equal(record->time, 1);
	assert_int_equal(record->counts[2], 12);
	assert_int_equal(pmc_ring_copy(ring, &pos, &lost, buf, sizeof(buf)), RECORD_SIZE);
	assert_int_equal(lost, 0);

	/* A whole round and one more: record 3 is lost to the copy. */
	while (get(ring) != 2)
		;
	for (i = 3; i < 3 + NR_SLOTS; i++)
		assert_true(put(ring, i));
	assert_int_equal(get(ring), 3);
	assert_true(put(ring, 3 + NR_SLOTS));
	assert_int_equal(pmc_ring_oldest(ring), 4);
	assert_int_equal(pmc_ring_copy(ring, &pos, &lost, buf, RECORD_SIZE), RECORD_SIZE);
	record = (void *)buf;
	assert_int_equal(record->time, 4);
	assert_int_equal(lost, 1);
	assert_int_equal(pos, 5);
	/* The reader has read none of these. */
	assert_int_equal(get(ring), 4);
}

#define ring_test(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ring_test(empty),
		ring_test(copied),
		ring_test(layout),
		ring_test(records_come_out_in_order),
		ring_test(a_slot_identifies_its_record),
		ring_test(a_full_ring_loses_and_says_so),
		ring_test(more_losses_than_a_record_can_report),
		ring_test(a_reserved_record_is_clean),
		ring_test(counts_are_zero_before_they_are_written),
		ring_test(the_reader_waits_for_what_is_being_written),
		ring_test(read_gives_whole_records_of_their_own_length),
		ring_test(virtual_values_go_with_their_record),
		ring_test(a_name_goes_with_its_record),
		ring_test(more_counts_than_a_slot_has_are_not_read),
		ring_test(memory_that_is_not_there_costs_no_record),
		ring_test(a_corrupt_tail_means_full),
		ring_test(a_corrupt_tail_in_the_first_round),
		ring_test(a_tail_set_back_repeats_records),
		ring_test(throttled_interrupts_are_counted),
		ring_test(losses_are_counted_where_records_find_no_room),
		cmocka_unit_test(consumers_without_a_ring_are_throttled),
		ring_test(sizes),
		ring_test(a_ring_of_one_slot),
		ring_test(failing_allocations),
		ring_test(the_ring_is_mapped_read_only),
		ring_test(the_readers_page_is_mapped_writable),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/* The reader's side of the ring, on memory with the kernel's layout. */
#include "lib.h"
#include "ring.h"

#define NR_SLOTS 4
#define SLOT_SIZE (sizeof(struct pmc_record) + 2 * sizeof(__u64))

static struct {
	struct pmc_ring_info info;
	char slots[NR_SLOTS * SLOT_SIZE];
} memory;

static struct pmc_ring_user user;

static struct pmc_record *slot(int n)
{
	return (void *)(memory.slots + n * SLOT_SIZE);
}

static void test_order(void **state)
{
	struct ring ring = { .info = &memory.info, .user = &user };
	const struct pmc_record *r;
	int i;

	memory.info.nr_slots = NR_SLOTS;
	memory.info.slot_size = SLOT_SIZE;
	memory.info.data_offset = offsetof(typeof(memory), slots);
	assert_null(ring_peek(&ring));
	for (i = 0; i < 3 * NR_SLOTS; i++) {
		slot(i % NR_SLOTS)->time = 100 + i;
		/* Reserved is not complete. */
		assert_null(ring_peek(&ring));
		slot(i % NR_SLOTS)->seq = i + 1;
		r = ring_peek(&ring);
		assert_non_null(r);
		assert_int_equal(r->time, 100 + i);
		assert_int_equal(user.tail, i);
		ring_consume(&ring);
		assert_int_equal(user.tail, i + 1);
		assert_null(ring_peek(&ring));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

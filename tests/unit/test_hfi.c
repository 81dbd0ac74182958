// SPDX-License-Identifier: GPL-2.0
/* Positions of hardware feedback's values on known machines. */
#include "hfi/layout.h"
#include "unit.h"

#define HFI	(1u << 19)
#define ITD	(1u << 23)

static struct hfi_layout layout(u32 eax, u32 ecx, u32 edx)
{
	struct hfi_layout l;

	memset(&l, 0xaa, sizeof(l));
	assert_true(hfi_layout_init(&l, eax, ecx, edx));
	return l;
}

static void not_there(void **unused)
{
	struct hfi_layout l;

	assert_false(hfi_layout_init(&l, ITD, 0x400, 3));
	/* No capability at all. */
	assert_false(hfi_layout_init(&l, HFI, 0, 0x100));
}

/* Alder Lake: one class, both capabilities, a page. */
static void one_class(void **unused)
{
	struct hfi_layout l = layout(HFI, 0x900, 0x00050003);

	assert_int_equal(l.classes, 1);
	assert_false(l.threads);
	assert_int_equal(l.size, 4096);
	assert_int_equal(hfi_row(0x00050003), 5);
	assert_int_equal(hfi_cell(&l, 0, 0, HFI_PERFORMANCE), 16);
	assert_int_equal(hfi_cell(&l, 0, 0, HFI_EFFICIENCY), 17);
	assert_int_equal(hfi_cell(&l, 5, 0, HFI_PERFORMANCE), 16 + 5 * 8);
	assert_int_equal(hfi_cell(&l, 5, 1, HFI_PERFORMANCE), 0);
	/* The last row of the page, and the one after. */
	assert_int_equal(hfi_cell(&l, 509, 0, HFI_PERFORMANCE), 4096 - 8);
	assert_int_equal(hfi_cell(&l, 510, 0, HFI_PERFORMANCE), 0);
	assert_int_equal(hfi_cell(&l, 0xffff, 0, HFI_PERFORMANCE), 0);
}

/* Meteor Lake: four classes, whose cells just fill a row of 8 bytes. */
static void four_classes(void **unused)
{
	struct hfi_layout l = layout(HFI | ITD, 0x409, 0x00030003);

	assert_int_equal(l.classes, 4);
	assert_true(l.threads);
	assert_int_equal(hfi_cell(&l, 0, 0, HFI_PERFORMANCE), 16);
	assert_int_equal(hfi_cell(&l, 0, 3, HFI_EFFICIENCY), 16 + 7);
	assert_int_equal(hfi_cell(&l, 3, 2, HFI_PERFORMANCE), 16 + 3 * 8 + 4);
	assert_int_equal(hfi_cell(&l, 3, 4, HFI_PERFORMANCE), 0);
}

static void more_of_everything(void **unused)
{
	/* Eight classes, a third capability, three pages. */
	struct hfi_layout l = layout(HFI | ITD, 0x800, 0x00000207);

	assert_int_equal(l.stride, 24);
	assert_int_equal(l.header, 8 + 24);
	assert_int_equal(l.size, 3 * 4096);
	assert_int_equal(hfi_cell(&l, 1, 7, HFI_EFFICIENCY), 32 + 24 + 7 * 3 + 1);

	/* Efficiency alone is the first column. */
	l = layout(HFI, 0, 0x2);
	assert_int_equal(hfi_cell(&l, 0, 0, HFI_EFFICIENCY), 16);
	assert_int_equal(hfi_cell(&l, 0, 0, HFI_PERFORMANCE), 0);

	/* A Thread Director that reports no classes has one. */
	l = layout(HFI | ITD, 0, 0x3);
	assert_int_equal(l.classes, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(not_there),
		cmocka_unit_test(one_class),
		cmocka_unit_test(four_classes),
		cmocka_unit_test(more_of_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

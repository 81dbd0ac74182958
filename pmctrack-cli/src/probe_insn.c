// SPDX-License-Identifier: GPL-2.0
/*
 * Kinds of first instructions, as far as a probe's cost differs. Linux has the conditions in
 * arch/x86/kernel/uprobes.c and arch/arm64/kernel/probes/decode-insn.c; how many instructions a
 * kind costs is measured (probe_cost.c), as this depends on the kernel's version.
 */
#include <string.h>

#include "probe.h"

#define KIND_COPIED	0
#define KIND_PUSH	1	/* of x86; on arm64 branches and addresses relative to the PC */
#define KIND_NOP	2

#ifdef __aarch64__
#define NOP 0xd503201f

static const struct {
	uint32_t mask;
	uint32_t value;
} relative[] = {
	{ 0x1f000000, 0x10000000 },	/* adr, adrp */
	{ 0x7c000000, 0x14000000 },	/* b, bl */
	{ 0xff000010, 0x54000000 },	/* b.cond */
	{ 0x7e000000, 0x34000000 },	/* cbz, cbnz */
	{ 0x7e000000, 0x36000000 },	/* tbz, tbnz */
	{ 0x3b000000, 0x18000000 },	/* ldr of a literal */
};

int probe_kind(const unsigned char *code, size_t size)
{
	uint32_t insn;
	size_t i;

	if (size < sizeof(insn))
		return KIND_COPIED;
	memcpy(&insn, code, sizeof(insn));
	for (i = 0; i < sizeof(relative) / sizeof(*relative); i++)
		if ((insn & relative[i].mask) == relative[i].value)
			return KIND_PUSH;
	return insn == NOP ? KIND_NOP : KIND_COPIED;
}
#else
/* push of a register, r8 to r15 with a prefix; jumps and calls are executed by the kernel, too. */
int probe_kind(const unsigned char *code, size_t size)
{
	if (size < 2)
		return KIND_COPIED;
	if ((code[0] & 0xf8) == 0x50 || (code[0] == 0x41 && (code[1] & 0xf8) == 0x50) ||
	    code[0] == 0xe8 || code[0] == 0xe9 || code[0] == 0xeb || (code[0] & 0xf0) == 0x70)
		return KIND_PUSH;
	if (code[0] == 0x90 || (code[0] == 0x66 && code[1] == 0x90) || (code[0] == 0x0f && code[1] == 0x1f))
		return KIND_NOP;
	return KIND_COPIED;
}
#endif

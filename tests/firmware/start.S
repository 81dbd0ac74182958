/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Start-up code for QEMU's TriCore test board: set up a stack and a list of context save
 * areas for calls, and clear memory. Registers are those of the TriCore Architecture Manual
 * V1.6, volume 1, "Tasks and Functions".
 */
#define PCXI	0xfe00
#define PSW	0xfe04
#define FCX	0xfe38
#define LCX	0xfe3c
#define DBGSR	0xfd00

	.section .text.start, "ax"
	.global _start
_start:
	movh.a	%sp, hi:stack_end
	lea	%sp, [%sp] lo:stack_end

	/* Supervisor mode, global registers writable, no counting of calls. */
	mov	%d0, 0x9ff
	mtcr	PSW, %d0
	isync
	mov	%d0, 0
	mtcr	PCXI, %d0
	isync

	/* The debug unit is enabled, as by a debugger: the board has no OCDS. */
	mov	%d0, 1
	mtcr	DBGSR, %d0
	isync

	movh.a	%a2, hi:bss_begin
	lea	%a2, [%a2] lo:bss_begin
	movh.a	%a3, hi:bss_end
	lea	%a3, [%a3] lo:bss_end
	mov	%d0, 0
1:	jeq.a	%a2, %a3, 2f
	st.w	[%a2+] 4, %d0
	j	1b
2:	movh.a	%a2, hi:epapi_memory_begin
	lea	%a2, [%a2] lo:epapi_memory_begin
	movh.a	%a3, hi:epapi_memory_end
	lea	%a3, [%a3] lo:epapi_memory_end
1:	jeq.a	%a2, %a3, 2f
	st.w	[%a2+] 4, %d0
	j	1b

	/*
	 * Each context save area of 64 bytes begins with a link to the next: its
	 * segment in bits 16 to 19, its place there in units of 64 bytes below.
	 * From the last to the first.
	 */
2:	movh.a	%a2, hi:csa_end
	lea	%a2, [%a2] lo:csa_end
	movh.a	%a3, hi:csa_begin
	lea	%a3, [%a3] lo:csa_begin
	mov	%d1, 0			/* the link to the next area */
	mov	%d4, 0			/* the link to the last area */
1:	jeq.a	%a3, %a2, 2f
	lea	%a2, [%a2] -64
	st.w	[%a2] 0, %d1
	mov.d	%d0, %a2
	extr.u	%d1, %d0, 28, 4
	sh	%d1, %d1, 16
	extr.u	%d0, %d0, 6, 16
	or	%d1, %d0
	jne	%d4, 0, 1b
	mov	%d4, %d1
	j	1b
2:	mtcr	FCX, %d1
	mtcr	LCX, %d4
	isync

	call	main

	/* The end of the example: its results stay in memory. */
	.global halt
halt:
	j	halt

/* SPDX-License-Identifier: GPL-2.0 */
/* What makes a command of main.c: a BPF program and the words about it. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

/**
 * struct scheduler - one of the schedulers
 * @name: of the command
 * @help: its manual
 * @object: the BPF program, as compiled
 * @object_end: behind it
 * @margin_option: the letter and the long name of what sets settings.margin
 * @margin: its default, in @margin_unit
 * @margin_unit: what the option's unit is in that of claims
 * @asks: it needs a metric
 */
struct scheduler {
	const char *name;
	const char *help;
	const char *object;
	const char *object_end;
	const char *margin_option;
	unsigned long margin;
	unsigned long margin_unit;
	int asks;
};

extern const struct scheduler scheduler;

/* The compiled program becomes a part of this one. */
#define EMBED(file)						\
	__asm__(".section .rodata\n"				\
		".balign 8\n"					\
		"scheduler_object: .incbin \"" file "\"\n"	\
		"scheduler_object_end: .byte 0\n"		\
		".previous\n")

extern const char scheduler_object[], scheduler_object_end[];

#endif

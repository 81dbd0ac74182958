/* SPDX-License-Identifier: GPL-2.0 */
/* A scheduler command: main.c, a BPF program and its description. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

/**
 * struct scheduler - one of the schedulers
 * @name: name of the command
 * @help: text of --help
 * @object: the compiled BPF program
 * @object_end: its end
 * @margin_option: long name of the option that sets settings.margin; its first letter is
 *	the short option
 * @margin: default of that option
 * @margin_unit: the option's unit, in the unit of scores
 * @asks: the scheduler needs a metric
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

/* Embed the compiled BPF program in the command. */
#define EMBED(file)						\
	__asm__(".section .rodata\n"				\
		".balign 8\n"					\
		"scheduler_object: .incbin \"" file "\"\n"	\
		"scheduler_object_end: .byte 0\n"		\
		".previous\n")

extern const char scheduler_object[], scheduler_object_end[];

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Formulas of derived events: a definition is compiled once, and evaluated for each reading.
 * The terms' values are counts of one core type, or sums over core types.
 */
#ifndef LIBPMCPAPI_FORMULA_H
#define LIBPMCPAPI_FORMULA_H

#include <stddef.h>
#include <stdint.h>

#include "preset_csv.h"

/* Terms of a formula after those that are derived events themselves have been replaced */
#define FORMULA_MAX_TERMS 32
/* Values that are on the stack at the same time */
#define FORMULA_MAX_DEPTH 32
/* Steps of a formula */
#define FORMULA_MAX_STEPS 512
/* Definitions that use definitions */
#define FORMULA_MAX_NESTING 8

struct formula;

/**
 * formula_find_fn - the definition of a term that is a derived event
 *
 * Return: a definition, which is put in the term's place; NULL: the term stays as it is.
 */
typedef const struct preset_def *(*formula_find_fn)(void *arg, const char *term);

/**
 * formula_compile - compile a definition
 * @hz: what # stands for in a formula: the processor's highest frequency. The kinds
 *	DERIVED_PS and DERIVED_ADD_PS use it, too
 * @find: called with @arg for each term; NULL: all terms stay as they are
 * @error: out: what is wrong, one line; of PRESET_ERROR_SIZE bytes
 *
 * Return: an object for formula_free(), which needs neither @def nor what @find returned;
 * NULL on failure.
 */
struct formula *formula_compile(const struct preset_def *def, uint64_t hz, formula_find_fn find,
				void *arg, char *error);
void formula_free(struct formula *formula);

/* Number of terms to count. Equal terms are one. */
int formula_nr_terms(const struct formula *formula);

/* Name of term number @n; it belongs to @formula. */
const char *formula_term(const struct formula *formula, int n);

/**
 * formula_value - the value of a formula
 * @counts: the terms' values, in the order of formula_term()
 *
 * Sums, differences and products are exact in 128 bits (64 on processors of 32 bits). So is the
 * quotient that is a formula's last step; its fraction is dropped. Other quotients are rounded
 * to 53 bits if they have a fraction. A division by zero has the value 0, and a result of more
 * than 64 bits is the nearest that there is.
 *
 * Return: the value. Nothing is allocated, and nothing fails.
 */
int64_t formula_value(const struct formula *formula, const int64_t *counts);

/** formula_divides - is the value a quotient, whose parts do not add up to that of the whole? */
int formula_divides(const struct formula *formula);

/** formula_same_steps - do two formulas differ in the names of their terms only? */
int formula_same_steps(const struct formula *a, const struct formula *b);

/**
 * formula_print - the formula over formula_term() in postfix notation, as "N0|N1|+|"
 * @buf: out: at most @size bytes, with the terminating zero
 *
 * Return: length of the whole text.
 */
size_t formula_print(const struct formula *formula, char *buf, size_t size);

/**
 * formula_from_infix - postfix notation of a formula such as "(N0+N1)*2/N2"
 * @buf: out: at most @size bytes, with the terminating zero
 *
 * Operators of the same precedence are applied from left to right.
 *
 * Return: NULL, or what is wrong with the formula.
 */
const char *formula_from_infix(const char *infix, char *buf, size_t size);

/**
 * formula_check - is a text a formula in postfix notation?
 * @nr_terms: N0 to N(@nr_terms - 1) are allowed
 *
 * Return: NULL, or what is wrong with it.
 */
const char *formula_check(const char *postfix, int nr_terms);

#endif

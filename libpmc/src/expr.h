/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Arithmetic expressions of metrics, in the language of perf's metrics: numbers, names,
 * - + * / %, | ^ &, comparisons, `A if CONDITION else B`, parentheses, min(), max(),
 * d_ratio(), and questions about events and the CPU.
 */
#ifndef LIBPMC_EXPR_H
#define LIBPMC_EXPR_H

enum expr_op {
	/* without operands */
	EXPR_NUMBER,
	EXPR_NAME,		/* of an event or another metric */
	EXPR_LITERAL,		/* #smt_on: @name is smt_on */
	EXPR_HAS_EVENT,		/* has_event(NAME) */
	EXPR_SOURCE_COUNT,	/* source_count(NAME) */
	EXPR_CPUID,		/* strcmp_cpuid_str(NAME) */
	/* with one operand */
	EXPR_NEG,
	/* with two operands */
	EXPR_OR,
	EXPR_XOR,
	EXPR_AND,
	EXPR_LESS,
	EXPR_GREATER,
	EXPR_AT_MOST,
	EXPR_AT_LEAST,
	EXPR_EQUAL,
	EXPR_UNEQUAL,
	EXPR_ADD,
	EXPR_SUB,
	EXPR_MUL,
	EXPR_DIV,
	EXPR_MOD,
	EXPR_MIN,
	EXPR_MAX,
	EXPR_RATIO,		/* d_ratio(A, B): 0 if B is 0 */
	/* with three operands: A, the condition, B */
	EXPR_IF,
};

/* Limits of one expression */
#define EXPR_LENGTH	8192	/* characters */
#define EXPR_DEPTH	100	/* levels of parentheses */
#define EXPR_NAME_LENGTH 256

struct expr_node {
	enum expr_op op;
	int arg[3];		/* operands: numbers of earlier nodes */
	double number;
	char *name;
};

/* The last node has the value of the expression. */
struct expr {
	int nr;
	struct expr_node *nodes;
};

/* Parse @text. -1 with an error line if it is no expression. */
int expr_parse(struct expr *expr, const char *text);
void expr_free(struct expr *expr);

/*
 * Scan a decimal number with point and exponent, or one with 0x, and return what follows it.
 * strtod() depends on the locale.
 */
const char *expr_number(const char *text, double *value);

/* Number of operands */
int expr_operands(enum expr_op op);

/*
 * The result of an operator. It is NAN if an operand that matters is NAN, and if a number is
 * divided by zero.
 */
double expr_apply(enum expr_op op, const double *operands);

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Formulas in infix notation. Operators wait on a stack until one that binds less comes
 * (Dijkstra's shunting yard).
 */
#include <string.h>

#include "formula.h"
#include "formula_word.h"

struct yard {
	char *out;
	size_t size;
	size_t n;
	char waiting[FORMULA_MAX_DEPTH];
	int nr_waiting;
	int wants_operand;
};

static const char *put(struct yard *y, const char *text, size_t len)
{
	if (y->n + len + 2 > y->size)
		return "it is too long in postfix notation";
	memcpy(y->out + y->n, text, len);
	y->n += len;
	y->out[y->n++] = '|';
	y->out[y->n] = '\0';
	return NULL;
}

static int precedence(char op)
{
	return op == '*' || op == '/' ? 2 : op == '(' ? 0 : 1;
}

/* Put out the operators that bind as much as @least at least. */
static const char *release(struct yard *y, int least)
{
	const char *what = NULL;

	while (!what && y->nr_waiting && precedence(y->waiting[y->nr_waiting - 1]) >= least)
		what = put(y, &y->waiting[--y->nr_waiting], 1);
	return what;
}

static const char *hold(struct yard *y, char op)
{
	if (y->nr_waiting == FORMULA_MAX_DEPTH)
		return "it has too many operators and parentheses inside each other";
	y->waiting[y->nr_waiting++] = op;
	return NULL;
}

static const char *take_operand(struct yard *y, const char **p)
{
	struct word word;
	const char *end, *what;

	if (**p == '(')
		return hold(y, *(*p)++);
	end = formula_next_word(*p, &word);
	if (!word.op || !strchr("NC#", word.op))
		return "an event (N0, N1, ...), a number, # or ( is missing before an operator, ) or the end";
	y->wants_operand = 0;
	what = put(y, *p, end - *p);
	*p = end;
	return what;
}

static const char *close_parenthesis(struct yard *y)
{
	const char *what = release(y, 1);

	if (!what && !y->nr_waiting)
		what = "a ) has no (";
	if (!what)
		y->nr_waiting--;
	return what;
}

static const char *take_operator(struct yard *y, const char **p)
{
	const char op = *(*p)++;
	const char *what;

	if (op == ')')
		return close_parenthesis(y);
	if (!strchr("+-*/", op))
		return "an operator (+ - * /) is missing between two operands";
	what = release(y, precedence(op));
	y->wants_operand = 1;
	return what ? what : hold(y, op);
}

const char *formula_from_infix(const char *infix, char *buf, size_t size)
{
	struct yard y = { .out = buf, .size = size, .wants_operand = 1 };
	const char *p = infix, *what = NULL;

	for (p += strspn(p, " \t"); *p && !what; p += strspn(p, " \t"))
		what = y.wants_operand ? take_operand(&y, &p) : take_operator(&y, &p);
	if (!what && y.wants_operand)
		what = "its last operand is missing";
	if (!what)
		what = release(&y, 1);
	if (!what && y.nr_waiting)
		what = "a ( has no )";
	return what;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Formulas of derived events. Every kind of definition becomes steps for a stack machine; terms
 * that are derived events themselves are put in as their own steps. The compiler follows the
 * depth of the stack, so that the evaluation need not look.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formula.h"
#include "formula_word.h"

/* A number that is exact as long as it is an integer of 128 bits */
struct number {
	int is_exact;
	wide_t exact;
	double rounded;
};

/* N: push the value of a term; C, #: push a constant; + - * /: apply to the two topmost */
struct step {
	char op;
	int term;
	wide_t constant;
};

struct formula {
	int nr_terms;
	int nr_steps;
	char *terms[FORMULA_MAX_TERMS];
	struct step steps[];
};

struct compiler {
	struct formula *f;
	uint64_t hz;
	formula_find_fn find;
	void *arg;
	int depth;
	int nesting;
	char *error;
};

static struct number exact(wide_t n)
{
	return (struct number){ .is_exact = 1, .exact = n };
}

static struct number rounded(double d)
{
	return (struct number){ .rounded = d };
}

static double as_double(const struct number *n)
{
	return n->is_exact ? (double)n->exact : n->rounded;
}

__attribute__((format(printf, 2, 3)))
static int fail(struct compiler *c, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(c->error, PRESET_ERROR_SIZE, fmt, args);
	va_end(args);
	return -1;
}

/* Return: the reason why one more step is wrong, or NULL. */
static const char *push_step(int *depth, char op)
{
	const int is_operator = !strchr("NC#", op);

	if (is_operator && *depth < 2)
		return "an operator lacks its two operands";
	*depth += is_operator ? -1 : 1;
	return *depth > FORMULA_MAX_DEPTH ? "too many operands come before their operators" : NULL;
}

static int emit(struct compiler *c, const struct step *step)
{
	const char *what = push_step(&c->depth, step->op);

	if (what)
		return fail(c, "%s", what);
	if (c->f->nr_steps == FORMULA_MAX_STEPS)
		return fail(c, "the formula has more than %d steps", FORMULA_MAX_STEPS);
	c->f->steps[c->f->nr_steps++] = *step;
	return 0;
}

static int emit_operator(struct compiler *c, char op)
{
	return emit(c, &(struct step){ .op = op });
}

static int emit_frequency(struct compiler *c)
{
	return emit(c, &(struct step){ .op = '#', .constant = c->hz });
}

/* The number of a native event among the terms; it is added if it is new. */
static int term_number(struct compiler *c, const char *name)
{
	struct formula *f = c->f;
	int i;

	for (i = 0; i < f->nr_terms; i++)
		if (!strcasecmp(f->terms[i], name))
			return i;
	if (i == FORMULA_MAX_TERMS)
		return fail(c, "the formula has more than %d events", FORMULA_MAX_TERMS);
	f->terms[i] = strdup(name);
	if (!f->terms[i])
		return fail(c, "there is no memory for the formula");
	return f->nr_terms++;
}

static int compile(struct compiler *c, const struct preset_def *def);

/*
 * The definition of a term, NULL for a native event. A definition may have the name of the
 * native event that it stands for.
 */
static const struct preset_def *find_term(struct compiler *c, const struct preset_def *def, int n)
{
	const struct preset_def *sub = c->find ? c->find(c->arg, def->terms[n]) : NULL;

	return sub == def ? NULL : sub;
}

static int compile_term(struct compiler *c, const struct preset_def *def, int n)
{
	const struct preset_def *sub = find_term(c, def, n);
	struct step step = { .op = 'N' };

	if (sub)
		return compile(c, sub);
	step.term = term_number(c, def->terms[n]);
	return step.term < 0 ? -1 : emit(c, &step);
}

const char *formula_check(const char *postfix, int nr_terms)
{
	const char *p = postfix, *what = NULL;
	struct word word;
	int depth = 0;

	for (p = formula_next_word(p, &word); word.op && !what; p = formula_next_word(p, &word)) {
		if (word.op == '?')
			return "a formula has N0, N1, ..., numbers, #, + - * /, and | between them";
		if (word.op == 'N' && word.term >= nr_terms)
			return "there are fewer events than the formula uses";
		what = push_step(&depth, word.op);
	}
	if (!what && depth != 1)
		what = depth ? "operands are left over, an operator is missing" : "it is empty";
	return what;
}

static int compile_postfix(struct compiler *c, const struct preset_def *def)
{
	const char *what = formula_check(def->postfix, def->nr_terms), *p = def->postfix;
	struct word word;
	int rc = what ? fail(c, "formula '%s': %s", def->postfix, what) : 0;

	for (p = formula_next_word(p, &word); word.op && !rc; p = formula_next_word(p, &word)) {
		if (word.op == 'N')
			rc = compile_term(c, def, word.term);
		else if (word.op == '#')
			rc = emit_frequency(c);
		else
			rc = emit(c, &(struct step){ .op = word.op, .constant = word.constant });
	}
	return rc;
}

/* Term number @first, to which all after it up to @end are added, or from which they are taken */
static int compile_chain(struct compiler *c, const struct preset_def *def, int first, int end,
			 char op)
{
	int i, rc = compile_term(c, def, first);

	for (i = first + 1; i < end && !rc; i++) {
		rc = compile_term(c, def, i);
		if (!rc)
			rc = emit_operator(c, op);
	}
	return rc;
}

/* The sum of terms a second: times the frequency, by the cycles, which are the first term */
static int compile_rate(struct compiler *c, const struct preset_def *def, int end)
{
	int rc = compile_chain(c, def, 1, end, '+');

	if (!rc)
		rc = emit_frequency(c);
	if (!rc)
		rc = emit_operator(c, '*');
	if (!rc)
		rc = compile_term(c, def, 0);
	return rc ? rc : emit_operator(c, '/');
}

/* Terms that the formula does not use are counted all the same, as the definition says. */
static int count_all(struct compiler *c, const struct preset_def *def)
{
	int i, rc = 0;

	for (i = 0; i < def->nr_terms && rc >= 0; i++)
		if (!find_term(c, def, i))
			rc = term_number(c, def->terms[i]);
	return rc < 0 ? rc : 0;
}

static int compile_kind(struct compiler *c, const struct preset_def *def)
{
	switch (def->kind) {
	case PRESET_ADD:
		return compile_chain(c, def, 0, def->nr_terms, '+');
	case PRESET_SUB:
		return compile_chain(c, def, 0, def->nr_terms, '-');
	case PRESET_PS:
		return compile_rate(c, def, 2);
	case PRESET_ADD_PS:
		return compile_rate(c, def, def->nr_terms);
	case PRESET_POSTFIX:
		return compile_postfix(c, def);
	default:
		return compile_term(c, def, 0);
	}
}

static int compile(struct compiler *c, const struct preset_def *def)
{
	const int least = def->kind == PRESET_PS || def->kind == PRESET_ADD_PS ? 2 : 1;
	int rc;

	if (def->nr_terms < least)
		return fail(c, "%s has too few events", def->name);
	if (c->nesting == FORMULA_MAX_NESTING)
		return fail(c, "%s is defined by itself, or over more than %d definitions",
			    def->name, FORMULA_MAX_NESTING);
	c->nesting++;
	rc = count_all(c, def);
	if (!rc)
		rc = compile_kind(c, def);
	c->nesting--;
	return rc;
}

struct formula *formula_compile(const struct preset_def *def, uint64_t hz, formula_find_fn find,
				void *arg, char *error)
{
	struct compiler c = { .hz = hz, .find = find, .arg = arg, .error = error };
	struct formula *smaller;
	size_t size;

	c.f = calloc(1, sizeof(*c.f) + FORMULA_MAX_STEPS * sizeof(c.f->steps[0]));
	if (!c.f) {
		fail(&c, "there is no memory for the formula");
		return NULL;
	}
	if (compile(&c, def)) {
		formula_free(c.f);
		return NULL;
	}
	size = sizeof(*c.f) + c.f->nr_steps * sizeof(c.f->steps[0]);
	smaller = realloc(c.f, size);
	return smaller ? smaller : c.f;
}

void formula_free(struct formula *formula)
{
	int i;

	for (i = 0; formula && i < formula->nr_terms; i++)
		free(formula->terms[i]);
	free(formula);
}

int formula_nr_terms(const struct formula *formula)
{
	return formula->nr_terms;
}

const char *formula_term(const struct formula *formula, int n)
{
	return formula->terms[n];
}

/* a op b, of integers; 0 if the result is none, or has more than 128 bits */
static int apply_exact(char op, wide_t a, wide_t b, wide_t *result)
{
	switch (op) {
	case '+':
		return !__builtin_add_overflow(a, b, result);
	case '-':
		return !__builtin_sub_overflow(a, b, result);
	case '*':
		return !__builtin_mul_overflow(a, b, result);
	default:
		/* The least number by -1 is too large: the processor takes it for an error. */
		if (b == -1)
			return !__builtin_sub_overflow((wide_t)0, a, result);
		if (!b || a % b)
			return 0;
		*result = a / b;
		return 1;
	}
}

static double apply_rounded(char op, double a, double b)
{
	switch (op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	default:
		return b != 0 ? a / b : 0;
	}
}

static struct number apply(char op, const struct number *a, const struct number *b)
{
	wide_t result;

	if (a->is_exact && b->is_exact && apply_exact(op, a->exact, b->exact, &result))
		return exact(result);
	return rounded(apply_rounded(op, as_double(a), as_double(b)));
}

/* The quotient that is the result loses its fraction, and need not be rounded before. */
static struct number last_quotient(const struct number *a, const struct number *b)
{
	if (a->is_exact && b->is_exact && b->exact && b->exact != -1)
		return exact(a->exact / b->exact);
	return apply('/', a, b);
}

/* The nearest number of 64 bits; 0 for one that is not defined */
static int64_t result_of(const struct number *n)
{
	int64_t result;

	if (n->is_exact && !__builtin_add_overflow(n->exact, 0, &result))
		return result;
	if (n->is_exact)
		return n->exact > 0 ? INT64_MAX : INT64_MIN;
	if (isnan(n->rounded))
		return 0;
	return n->rounded >= 0x1p63 ? INT64_MAX :
	       n->rounded < -0x1p63 ? INT64_MIN : (int64_t)n->rounded;
}

int64_t formula_value(const struct formula *formula, const int64_t *counts)
{
	const struct step *step = formula->steps, *end = step + formula->nr_steps;
	struct number stack[FORMULA_MAX_DEPTH], *top = stack; /* the first place that is free */

	for (; step < end; step++) {
		if (step->op == 'N') {
			*top++ = exact(counts[step->term]);
		} else if (step->op == 'C' || step->op == '#') {
			*top++ = exact(step->constant);
		} else {
			top--;
			top[-1] = step->op == '/' && step + 1 == end ?
				  last_quotient(&top[-1], &top[0]) :
				  apply(step->op, &top[-1], &top[0]);
		}
	}
	return result_of(&stack[0]);
}

static int print_step(const struct step *step, char *buf, size_t size)
{
	if (step->op == 'N')
		return snprintf(buf, size, "N%d|", step->term);
	if (step->op == 'C')
		return snprintf(buf, size, "%lld|", (long long)step->constant);
	return snprintf(buf, size, "%c|", step->op);
}

size_t formula_print(const struct formula *formula, char *buf, size_t size)
{
	size_t n = 0;
	int i;

	if (size)
		*buf = '\0';
	for (i = 0; i < formula->nr_steps; i++)
		n += print_step(&formula->steps[i], n < size ? buf + n : NULL, n < size ? size - n : 0);
	return n;
}

int formula_divides(const struct formula *formula)
{
	int i;

	for (i = 0; i < formula->nr_steps; i++)
		if (formula->steps[i].op == '/')
			return 1;
	return 0;
}

int formula_same_steps(const struct formula *a, const struct formula *b)
{
	int i;

	if (a->nr_steps != b->nr_steps || a->nr_terms != b->nr_terms)
		return 0;
	for (i = 0; i < a->nr_steps; i++)
		if (a->steps[i].op != b->steps[i].op || a->steps[i].term != b->steps[i].term ||
		    a->steps[i].constant != b->steps[i].constant)
			return 0;
	return 1;
}

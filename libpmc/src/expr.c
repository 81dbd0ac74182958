// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A parser of expressions by precedence of operators, and the operators. The grammar is that
 * of perf's MetricExpr (Linux, tools/perf/util/expr.y and expr.l). Beyond it, numbers may be
 * hexadecimal, there are <=, >=, == and !=, and a name may have an event's attributes, as in
 * 0xc2:umask=0x01.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "expr.h"

struct parser {
	struct expr *expr;
	const char *text;
	const char *next;	/* what is not parsed yet */
	int depth;
};

int expr_operands(enum expr_op op)
{
	if (op < EXPR_NEG)
		return 0;
	if (op == EXPR_NEG)
		return 1;
	return op == EXPR_IF ? 3 : 2;
}

void expr_free(struct expr *expr)
{
	while (expr->nr)
		free(expr->nodes[--expr->nr].name);
	free(expr->nodes);
	expr->nodes = NULL;
}

static void skip_space(struct parser *p)
{
	while (isspace((unsigned char)*p->next))
		p->next++;
}

static int fail_at(const struct parser *p, const char *wanted)
{
	if (!*p->next)
		return pmc_fail(EINVAL, "'%.200s': %s is missing at the end", p->text, wanted);
	return pmc_fail(EINVAL, "'%.200s': %s is missing before '%.40s'", p->text, wanted, p->next);
}

/* Add a node. Return its number; -1 on error. */
static int add_node(struct parser *p, enum expr_op op)
{
	struct expr *e = p->expr;
	struct expr_node *nodes;

	/* At sizes that are powers of two */
	if (!(e->nr & (e->nr - 1))) {
		nodes = realloc(e->nodes, (e->nr ? 2 * e->nr : 1) * sizeof(*nodes));
		if (!nodes)
			return pmc_fail_nomem();
		e->nodes = nodes;
	}
	memset(&e->nodes[e->nr], 0, sizeof(*e->nodes));
	e->nodes[e->nr].op = op;
	return e->nr++;
}

static int add_operator(struct parser *p, enum expr_op op, int a, int b, int c)
{
	int node = add_node(p, op);

	if (node >= 0) {
		p->expr->nodes[node].arg[0] = a;
		p->expr->nodes[node].arg[1] = b;
		p->expr->nodes[node].arg[2] = c;
	}
	return node;
}

static double power_of_ten(int n)
{
	double power = 1;

	while (n--)
		power *= 10;
	return power;
}

const char *expr_number(const char *text, double *value)
{
	int point = 0, scale = 0, exponent = 0, negative;
	char *end;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && isxdigit((unsigned char)text[2])) {
		*value = strtoull(text, &end, 16);
		return end;
	}
	for (*value = 0; isdigit((unsigned char)*text) || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = 1;
			continue;
		}
		*value = *value * 10 + (*text - '0');
		scale -= point;
	}
	if (*text == 'e' || *text == 'E') {
		negative = text[1] == '-';
		if (isdigit((unsigned char)text[1 + (negative || text[1] == '+')])) {
			for (text += 1 + (negative || text[1] == '+'); isdigit((unsigned char)*text); text++)
				exponent = exponent < 1000 ? exponent * 10 + (*text - '0') : exponent;
			scale += negative ? -exponent : exponent;
		}
	}
	*value = scale < 0 ? *value / power_of_ten(-scale) : *value * power_of_ten(scale);
	return text;
}

/*
 * Copy a name: letters, digits and _.:?, what stands between two @, and characters after a
 * backslash. = belongs to the name if it is that of an attribute. Return what follows it.
 */
static const char *scan_name(const char *text, char *name)
{
	int inside = 0, attributes = 0, n = 0;

	for (; *text && n < EXPR_NAME_LENGTH - 1; text++) {
		if (*text == '\\' && text[1])
			text++;
		else if (*text == '@')
			inside = !inside;
		else if (*text == ':')
			attributes = 1;
		else if (*text == '=' && attributes && text[1] != '=')
			;
		else if (!inside && !isalnum((unsigned char)*text) && *text != '_' && *text != '.' &&
			 *text != '?')
			break;
		name[n++] = *text;
	}
	name[n] = '\0';
	return text;
}

static int parse_if(struct parser *p);

static int expect(struct parser *p, char c)
{
	const char wanted[] = { '\'', c, '\'', '\0' };

	skip_space(p);
	if (*p->next != c)
		return fail_at(p, wanted);
	p->next++;
	return 0;
}

/* An operand in parentheses, whose first is parsed already; the levels of them are bounded. */
static int parse_inside(struct parser *p)
{
	int node;

	if (p->depth++ == EXPR_DEPTH)
		return pmc_fail(EINVAL, "'%.200s': more than %d levels of parentheses, signs and conditions",
				p->text, EXPR_DEPTH);
	node = parse_if(p);
	p->depth--;
	return node;
}

static int add_name(struct parser *p, enum expr_op op, const char *name)
{
	int node = add_node(p, op);

	if (node < 0)
		return node;
	p->expr->nodes[node].name = strdup(name);
	return p->expr->nodes[node].name ? node : pmc_fail_nomem();
}

/* has_event(NAME) and the like */
static int parse_question(struct parser *p, enum expr_op op)
{
	char name[EXPR_NAME_LENGTH];

	if (expect(p, '('))
		return -1;
	skip_space(p);
	p->next = scan_name(p->next, name);
	if (!*name)
		return fail_at(p, "a name");
	return expect(p, ')') ? -1 : add_name(p, op, name);
}

static int parse_function(struct parser *p, enum expr_op op)
{
	int a, b;

	if (expect(p, '('))
		return -1;
	a = parse_inside(p);
	if (a < 0 || expect(p, ','))
		return -1;
	b = parse_inside(p);
	if (b < 0 || expect(p, ')'))
		return -1;
	return add_operator(p, op, a, b, 0);
}

static int parse_word(struct parser *p)
{
	static const struct {
		const char *name;
		enum expr_op op;
	} functions[] = {
		{ "min", EXPR_MIN },
		{ "max", EXPR_MAX },
		{ "d_ratio", EXPR_RATIO },
		{ "has_event", EXPR_HAS_EVENT },
		{ "source_count", EXPR_SOURCE_COUNT },
		{ "strcmp_cpuid_str", EXPR_CPUID },
	};
	const char *after_name, *after_number;
	char name[EXPR_NAME_LENGTH];
	double number;
	size_t i;
	int node;

	after_name = scan_name(p->next, name);
	after_number = expr_number(p->next, &number);
	if (after_number >= after_name && after_number > p->next) {
		if (!isfinite(number))
			return pmc_fail(EINVAL, "'%.200s': a number is too large", p->text);
		p->next = after_number;
		node = add_node(p, EXPR_NUMBER);
		if (node >= 0)
			p->expr->nodes[node].number = number;
		return node;
	}
	if (!*name || !strcmp(name, "if") || !strcmp(name, "else"))
		return fail_at(p, "a number or a name");
	if (strlen(name) == EXPR_NAME_LENGTH - 1)
		return pmc_fail(EINVAL, "the name '%.40s...' is too long", name);
	if (isdigit((unsigned char)*name) && !strpbrk(name, ":@"))
		return pmc_fail(EINVAL, "'%.200s': '%s' is neither a number nor a name", p->text, name);
	p->next = after_name;
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strcmp(name, functions[i].name))
			continue;
		if (expr_operands(functions[i].op))
			return parse_function(p, functions[i].op);
		return parse_question(p, functions[i].op);
	}
	return add_name(p, EXPR_NAME, name);
}

static int parse_literal(struct parser *p)
{
	char name[EXPR_NAME_LENGTH];

	p->next = scan_name(p->next + 1, name);
	return *name ? add_name(p, EXPR_LITERAL, name) : fail_at(p, "a name after #");
}

static int parse_binary(struct parser *p, int lowest);

static int parse_operand(struct parser *p)
{
	int node;

	skip_space(p);
	if (*p->next == '(') {
		p->next++;
		node = parse_inside(p);
		return node < 0 || expect(p, ')') ? -1 : node;
	}
	if (*p->next == '#')
		return parse_literal(p);
	return parse_word(p);
}

/* Signs bind more tightly than any operator with two operands. */
static int parse_signed(struct parser *p)
{
	int node, negative = 0;

	for (skip_space(p); *p->next == '-'; skip_space(p)) {
		negative = !negative;
		p->next++;
	}
	node = parse_operand(p);
	return node >= 0 && negative ? add_operator(p, EXPR_NEG, node, 0, 0) : node;
}

static const struct operator {
	const char *text;
	enum expr_op op;
	int precedence;
} operators[] = {
	{ "<=", EXPR_AT_MOST, 4 }, { ">=", EXPR_AT_LEAST, 4 }, { "==", EXPR_EQUAL, 4 },
	{ "!=", EXPR_UNEQUAL, 4 }, { "|", EXPR_OR, 1 }, { "^", EXPR_XOR, 2 }, { "&", EXPR_AND, 3 },
	{ "<", EXPR_LESS, 4 }, { ">", EXPR_GREATER, 4 }, { "+", EXPR_ADD, 5 },
	{ "-", EXPR_SUB, 5 }, { "*", EXPR_MUL, 6 }, { "/", EXPR_DIV, 6 }, { "%", EXPR_MOD, 6 },
};

static const struct operator *peek_operator(struct parser *p)
{
	size_t i;

	skip_space(p);
	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (!strncmp(p->next, operators[i].text, strlen(operators[i].text)))
			return &operators[i];
	return NULL;
}

/* Operators of precedence @lowest and above; those of equal precedence from the left */
static int parse_binary(struct parser *p, int lowest)
{
	const struct operator *o;
	int a = parse_signed(p), b;

	while (a >= 0 && (o = peek_operator(p)) && o->precedence >= lowest) {
		p->next += strlen(o->text);
		b = parse_binary(p, o->precedence + 1);
		a = b < 0 ? b : add_operator(p, o->op, a, b, 0);
	}
	return a;
}

static int take_keyword(struct parser *p, const char *keyword)
{
	size_t len = strlen(keyword);

	skip_space(p);
	if (strncmp(p->next, keyword, len) || isalnum((unsigned char)p->next[len]) ||
	    p->next[len] == '_')
		return 0;
	p->next += len;
	return 1;
}

/* EXPRESSION or EXPRESSION if EXPRESSION else ... */
static int parse_if(struct parser *p)
{
	int a = parse_binary(p, 1), b, condition;

	if (a < 0 || !take_keyword(p, "if"))
		return a;
	condition = parse_binary(p, 1);
	if (condition < 0)
		return -1;
	if (!take_keyword(p, "else"))
		return fail_at(p, "'else'");
	b = parse_inside(p);
	return b < 0 ? b : add_operator(p, EXPR_IF, a, condition, b);
}

int expr_parse(struct expr *expr, const char *text)
{
	struct parser p = { .expr = expr, .text = text, .next = text };
	int node;

	memset(expr, 0, sizeof(*expr));
	if (strlen(text) > EXPR_LENGTH)
		return pmc_fail(EINVAL, "the expression '%.40s...' has more than %d characters", text,
				EXPR_LENGTH);
	node = parse_if(&p);
	skip_space(&p);
	if (node >= 0 && *p.next)
		node = fail_at(&p, "an operator");
	if (node < 0)
		expr_free(expr);
	return node < 0 ? -1 : 0;
}

/* As bits. Values that no such number has count as the nearest. */
static int64_t whole(double x)
{
	if (x >= 9e18)
		return INT64_MAX;
	return x <= -9e18 ? INT64_MIN : (int64_t)x;
}

static double modulo(double a, double b)
{
	int64_t divisor = whole(b);

	/* The quotient of INT64_MIN and -1 has no place. */
	if (!divisor)
		return NAN;
	return divisor == -1 ? 0 : whole(a) % divisor;
}

double expr_apply(enum expr_op op, const double *x)
{
	int i;

	if (op == EXPR_IF)
		return isnan(x[1]) ? NAN : x[1] ? x[0] : x[2];
	for (i = 0; i < expr_operands(op); i++)
		if (isnan(x[i]))
			return NAN;
	switch (op) {
	case EXPR_NEG:
		return -x[0];
	case EXPR_OR:
		return whole(x[0]) | whole(x[1]);
	case EXPR_XOR:
		return whole(x[0]) ^ whole(x[1]);
	case EXPR_AND:
		return whole(x[0]) & whole(x[1]);
	case EXPR_LESS:
		return x[0] < x[1];
	case EXPR_GREATER:
		return x[0] > x[1];
	case EXPR_AT_MOST:
		return x[0] <= x[1];
	case EXPR_AT_LEAST:
		return x[0] >= x[1];
	case EXPR_EQUAL:
		return x[0] == x[1];
	case EXPR_UNEQUAL:
		return x[0] != x[1];
	case EXPR_ADD:
		return x[0] + x[1];
	case EXPR_SUB:
		return x[0] - x[1];
	case EXPR_MUL:
		return x[0] * x[1];
	case EXPR_DIV:
		return x[1] ? x[0] / x[1] : NAN;
	case EXPR_MOD:
		return modulo(x[0], x[1]);
	case EXPR_MIN:
		return x[0] < x[1] ? x[0] : x[1];
	case EXPR_MAX:
		return x[0] > x[1] ? x[0] : x[1];
	case EXPR_RATIO:
		return x[1] ? x[0] / x[1] : 0;
	default:
		return NAN;
	}
}

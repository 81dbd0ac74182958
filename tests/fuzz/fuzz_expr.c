// SPDX-License-Identifier: GPL-2.0
/*
 * Any text for the parser of metrics' formulas. It is refused with an error line, or each node
 * refers to earlier nodes only, and has a value.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "expr.h"

#define MUST(condition) do { \
	if (!(condition)) { \
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
		abort(); \
	} \
} while (0)

/* Names count as numbers that depend on their length. */
static double value_of(const struct expr_node *node)
{
	return node->name ? (double)strlen(node->name) - 3 : node->number;
}

static void check(const struct expr *e)
{
	double *values = calloc(e->nr, sizeof(*values)), x[3];
	int i, j;

	MUST(values && e->nr > 0);
	for (i = 0; i < e->nr; i++) {
		const struct expr_node *node = &e->nodes[i];
		int nr = expr_operands(node->op);

		MUST(nr || node->name || node->op == EXPR_NUMBER);
		MUST(isfinite(node->number));
		for (j = 0; j < nr; j++) {
			MUST(node->arg[j] >= 0 && node->arg[j] < i);
			x[j] = values[node->arg[j]];
		}
		values[i] = nr ? expr_apply(node->op, x) : value_of(node);
	}
	free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct expr expr;

	MUST(text);
	memcpy(text, data, size);
	text[size] = '\0';
	if (expr_parse(&expr, text)) {
		MUST(*pmc_last_error());
	} else {
		check(&expr);
		expr_free(&expr);
	}
	free(text);
	return 0;
}

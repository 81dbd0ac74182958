// SPDX-License-Identifier: GPL-2.0
/*
 * The text of the module parameter core_types=:
 *
 *	TEXT	= ENTRY [("," | ";") ENTRY]...
 *	ENTRY	= RANGE ["+" RANGE]... ":" NAME
 *	RANGE	= CPU ["-" CPU]
 *
 * with a "+" where CPU lists have a comma, which separates entries here.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "base/coretypes_param.h"
#include "base/err.h"
#include "base/tokenize.h"

/**
 * struct output - ranges read so far
 * @range: the ranges
 * @nr: how many
 * @max: room in @range
 * @type: core type of the entry that is being read
 */
struct output {
	struct pmc_core_range *range;
	unsigned int nr;
	unsigned int max;
	unsigned int type;
};

static int err_tok(struct pmc_err *err, struct pmc_tok tok,
		   const char *wrong)
{
	struct pmc_quoted q;

	return pmc_err(err, -EINVAL,
		       "core_types: %s %s: write it as 0-1:big,2-3:little",
		       pmc_quote(&q, tok.text, tok.len), wrong);
}

static int get_name(struct pmc_tok name, const struct output *out,
		    struct pmc_err *err)
{
	unsigned int i;

	if (!name.text || !name.len || name.len >= PMC_CORE_NAME_LEN)
		return err_tok(err, name, "is not a name of 1 to 15 letters");
	for (i = 0; i < name.len; i++) {
		char c = name.text[i];

		/* Not islower(): the kernel's knows Latin-1. */
		if (!(c >= 'a' && c <= 'z') && !isdigit(c) && c != '_' &&
		    c != '-')
			return err_tok(err, name,
				       "has more than a-z, 0-9, _ and - in it");
	}
	for (i = 0; i < out->nr; i++) {
		if (pmc_tok_is(name, out->range[i].name))
			return err_tok(err, name,
				       "names two core types (join CPUs by +)");
	}

	return 0;
}

static int get_cpu(struct pmc_tok text, unsigned int *cpu,
		   struct pmc_err *err)
{
	u64 value;

	if (pmc_parse_number(text.text, text.len, &value) || value > INT_MAX)
		return err_tok(err, text, "is not the number of a CPU");

	*cpu = value;
	return 0;
}

static int add_range(struct pmc_tok text, struct pmc_tok name,
		     struct output *out, struct pmc_err *err)
{
	struct pmc_tok first, last = text;
	struct pmc_core_range *range;
	unsigned int i;
	int ret;

	if (out->nr == out->max)
		return err_tok(err, text, "is one CPU range too many");
	range = &out->range[out->nr];

	pmc_tok_next(&last, '-', &first);
	ret = get_cpu(first, &range->first, err);
	if (ret)
		return ret;
	range->last = range->first;
	if (last.text) {
		ret = get_cpu(last, &range->last, err);
		if (ret)
			return ret;
	}
	if (range->last < range->first)
		return err_tok(err, text, "ends before it begins");
	for (i = 0; i < out->nr; i++) {
		if (range->first <= out->range[i].last &&
		    out->range[i].first <= range->last)
			return err_tok(err, text,
				       "has a CPU that is there already");
	}

	range->type = out->type;
	memset(range->name, 0, sizeof(range->name));
	memcpy(range->name, name.text, name.len);
	out->nr++;

	return 0;
}

static int add_entry(struct pmc_tok entry, struct output *out,
		     struct pmc_err *err)
{
	struct pmc_tok cpus, piece, name = entry;
	int ret;

	pmc_tok_next(&name, ':', &cpus);
	if (!name.text)
		return err_tok(err, entry, "has no name behind a colon");
	if (out->type == PMC_CORE_TYPES_MAX)
		return pmc_err(err, -EINVAL,
			       "core_types: there are more than %u core types, the most: join CPUs by + under one name",
			       PMC_CORE_TYPES_MAX);
	ret = get_name(name, out, err);
	if (ret)
		return ret;

	while (pmc_tok_next(&cpus, '+', &piece)) {
		ret = add_range(piece, name, out, err);
		if (ret)
			return ret;
	}
	out->type++;

	return 0;
}

/**
 * pmc_core_types_max_ranges() - room that pmc_parse_core_types() needs
 * @text: value of the parameter
 *
 * Return: how many CPU ranges there can be in @text, at least 1.
 */
unsigned int pmc_core_types_max_ranges(const char *text)
{
	unsigned int nr = 1;

	for (; *text; text++)
		nr += *text == ',' || *text == ';' || *text == '+';

	return nr;
}

/**
 * pmc_parse_core_types() - read the parameter core_types=
 * @text: its value; white space around it does not matter
 * @range: out: the CPU ranges, in the order of the text
 * @max: room in @range, pmc_core_types_max_ranges() of them
 * @err: out: on error, what was wrong
 *
 * No CPU is in two ranges, and no two core types share a name. Whether the
 * CPUs exist, and all of them are there, is for the caller to see.
 *
 * Context: any but NMI.
 * Return: how many ranges there are, or -EINVAL.
 */
int pmc_parse_core_types(const char *text, struct pmc_core_range *range,
			 unsigned int max, struct pmc_err *err)
{
	struct output out = { .range = range, .max = max };
	struct pmc_tok rest = { text, strlen(text) };
	int ret;

	rest = pmc_tok_trim(rest);
	while (rest.text) {
		struct pmc_tok entry = rest;

		entry.len = 0;
		while (entry.len < rest.len && rest.text[entry.len] != ',' &&
		       rest.text[entry.len] != ';')
			entry.len++;
		if (entry.len < rest.len) {
			rest.text += entry.len + 1;
			rest.len -= entry.len + 1;
		} else {
			rest.text = NULL;
		}

		ret = add_entry(entry, &out, err);
		if (ret)
			return ret;
	}

	return out.nr;
}

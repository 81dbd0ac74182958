// SPDX-License-Identifier: GPL-2.0
/*
 * The text of one event set:
 *
 *	SPEC	= WORD ["," WORD]...
 *	WORD	= "pmc" N ["=" CODE]	counter N, pinned
 *		| ATTR N "=" VALUE	attribute of pmcN, before or behind it
 *		| "ev=" CODE [":" OPT]...	event on any counter
 *		| "sw=" NAME		software counter
 *		| "l3=" CODE [":umask=" X]	counter that CPUs share
 *		| "coretype=" N		the set is for this core type only
 *	ATTR	= the name of an attribute in attrs[]
 *	OPT	= OPTION, of a flag in attrs[], or OPTION "=" VALUE
 *
 * Attributes may come before the counter they belong to, so the text is read
 * twice: for the events first, then for the attributes.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "base/err.h"
#include "base/parse_evset.h"
#include "base/tokenize.h"

const char *const pmc_sw_names[PMC_SW_NR] = {
	[PMC_SW_TASK_CLOCK] = "task_clock",
	[PMC_SW_CONTEXT_SWITCHES] = "context_switches",
	[PMC_SW_MIGRATIONS] = "migrations",
	[PMC_SW_PAGE_FAULTS] = "page_faults",
	[PMC_SW_MINOR_FAULTS] = "minor_faults",
	[PMC_SW_MAJOR_FAULTS] = "major_faults",
};

const char *const pmc_uncore_names[PMC_UNCORE_NR] = {
	[PMC_UNCORE_L3] = "l3",
};

/**
 * struct attr - an attribute of an event
 * @name: as spelt before a counter's number
 * @option: as spelt behind ev=
 * @field: where its value is in struct pmc_evreq
 * @not_zero: why 0 is refused; NULL: it is not
 * @flag: it is 0 or 1, in one byte; else the value is a u64
 */
struct attr {
	const char *name;
	const char *option;
	size_t field;
	const char *not_zero;
	bool flag;
};

#define VALUE(name)	.field = offsetof(struct pmc_evreq, name)
#define FLAG(name)	.field = offsetof(struct pmc_evreq, name), .flag = true

static const struct attr attrs[] = {
	{ "umask", "umask", VALUE(umask) },
	{ "cmask", "cmask", VALUE(cmask) },
	{ "edge", "edge", FLAG(edge) },
	{ "inv", "inv", FLAG(inv) },
	{ "any", "any", FLAG(any) },
	{ "usr", "u", FLAG(usr) },
	{ "os", "k", FLAG(os) },
	{ "ebs", "ebs", VALUE(ebs), "a sampling period is at least 1 event" },
	{ "extra", "extra", VALUE(extra), "a register that holds 0 chooses nothing to count" },
};

/**
 * struct token - one token of a set, taken apart
 * @whole: the token
 * @stem: its name, without the counter's number
 * @digits: the number behind the name; empty when there is none
 * @value: what is behind the "="; its text is NULL when there is no "="
 */
struct token {
	struct pmc_tok whole;
	struct pmc_tok stem;
	struct pmc_tok digits;
	struct pmc_tok value;
};

static void split_token(struct pmc_tok text, struct token *token)
{
	struct pmc_tok rest = text;

	token->whole = text;
	pmc_tok_next(&rest, '=', &token->stem);
	token->value = rest;

	while (token->stem.len && isdigit(token->stem.text[token->stem.len - 1]))
		token->stem.len--;
	token->digits.text = token->stem.text + token->stem.len;
	token->digits.len = (rest.text ? rest.text - 1 : text.text + text.len) -
			    token->digits.text;
}

static bool token_is(const struct token *token, const char *name)
{
	return !token->digits.len && token->value.text &&
	       pmc_tok_is(token->stem, name);
}

static int err_token(struct pmc_err *err, struct pmc_tok token,
		     const char *wrong)
{
	struct pmc_quoted q;

	return pmc_err(err, -EINVAL, "%s: %s",
		       pmc_quote(&q, token.text, token.len), wrong);
}

/* The number in @text, which is all or part of @token. */
static int get_number(struct pmc_tok text, struct pmc_tok token, u64 max,
		      u64 *value, struct pmc_err *err)
{
	struct pmc_quoted q, qw;
	int ret = pmc_parse_number(text.text, text.len, value);

	if (ret == -EINVAL)
		return pmc_err(err, ret,
			       "%s in %s is no number: write it as 18 or 0x12",
			       pmc_quote(&q, text.text, text.len),
			       pmc_quote(&qw, token.text, token.len));
	if (ret || *value > max)
		return pmc_err(err, -EINVAL,
			       "%s in %s is too large: at most %llu",
			       pmc_quote(&q, text.text, text.len),
			       pmc_quote(&qw, token.text, token.len),
			       (unsigned long long)max);
	return 0;
}

static struct pmc_evreq *find_pinned(struct pmc_setreq *req, u64 slot)
{
	unsigned int i;

	for (i = 0; i < req->nr; i++) {
		if (req->ev[i].kind == PMC_EVREQ_PINNED &&
		    req->ev[i].slot == slot)
			return &req->ev[i];
	}

	return NULL;
}

static struct pmc_evreq *add_event(struct pmc_setreq *req,
				   enum pmc_evreq_kind kind,
				   struct pmc_tok token, struct pmc_err *err)
{
	struct pmc_evreq *ev;
	struct pmc_quoted q;

	if (req->nr == PMC_MAX_COUNTS) {
		pmc_err(err, -EINVAL,
			"%s is one event too many: a set has at most %d",
			pmc_quote(&q, token.text, token.len), PMC_MAX_COUNTS);
		return NULL;
	}

	ev = &req->ev[req->nr++];
	memset(ev, 0, sizeof(*ev));
	ev->kind = kind;
	ev->usr = -1;
	ev->os = -1;

	return ev;
}

static int add_pinned(struct pmc_setreq *req, const struct token *token,
		      struct pmc_err *err)
{
	u64 slot, code = 0;
	struct pmc_evreq *ev;
	int ret;

	ret = get_number(token->digits, token->whole, PMC_MAX_SLOTS - 1, &slot,
			 err);
	if (ret)
		return ret;
	if (token->value.text) {
		ret = get_number(token->value, token->whole, U64_MAX, &code, err);
		if (ret)
			return ret;
	}
	if (find_pinned(req, slot))
		return err_token(err, token->whole,
				 "this counter already has an event");

	ev = add_event(req, PMC_EVREQ_PINNED, token->whole, err);
	if (!ev)
		return -EINVAL;

	ev->slot = slot;
	ev->has_code = token->value.text;
	ev->code = code;

	return 0;
}

static int add_software(struct pmc_setreq *req, const struct token *token,
			struct pmc_err *err)
{
	struct pmc_evreq *ev;
	unsigned int i;
	int sw;

	sw = pmc_name_index(pmc_sw_names, PMC_SW_NR, token->value.text,
			    token->value.len);
	if (sw < 0)
		return pmc_err_choice(err, "software counter",
				      token->value.text, token->value.len,
				      pmc_sw_names, PMC_SW_NR);
	for (i = 0; i < req->nr; i++) {
		if (req->ev[i].kind == PMC_EVREQ_SW && req->ev[i].sw == sw)
			return err_token(err, token->whole, "is there twice");
	}

	ev = add_event(req, PMC_EVREQ_SW, token->whole, err);
	if (!ev)
		return -EINVAL;

	ev->sw = sw;

	return 0;
}

static const struct attr *find_attr(struct pmc_tok name, bool option)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attrs); i++)
		if (pmc_tok_is(name, option ? attrs[i].option : attrs[i].name))
			return &attrs[i];
	return NULL;
}

/* @value: 0 or 1 if the attribute is a flag */
static void write_attr(struct pmc_evreq *ev, const struct attr *attr, u64 value)
{
	void *field = (char *)ev + attr->field;

	if (attr->flag)
		*(u8 *)field = value;
	else
		*(u64 *)field = value;
}

/* Give an event the attribute, with the value in @value, once. */
static int set_attr(struct pmc_evreq *ev, u16 *seen, const struct attr *attr,
		    struct pmc_tok value, struct pmc_tok token,
		    struct pmc_err *err)
{
	unsigned int bit = BIT(attr - attrs);
	u64 number;
	int ret;

	if (*seen & bit)
		return err_token(err, token, "this attribute is there twice");
	*seen |= bit;

	ret = get_number(value, token, attr->flag ? 1 : U64_MAX, &number, err);
	if (ret)
		return ret;
	if (!number && attr->not_zero)
		return err_token(err, token, attr->not_zero);
	write_attr(ev, attr, number);
	return 0;
}

static int err_option(struct pmc_tok opt, struct pmc_err *err)
{
	const char *names[ARRAY_SIZE(attrs)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attrs); i++)
		names[i] = attrs[i].option;
	return pmc_err_choice(err, "option of ev=", opt.text, opt.len, names,
			      ARRAY_SIZE(attrs));
}

static int set_option(struct pmc_evreq *ev, u16 *seen, struct pmc_tok opt,
		      struct pmc_err *err)
{
	static const struct pmc_tok one = { "1", 1 };
	struct pmc_tok name, value = opt;
	const struct attr *attr;

	pmc_tok_next(&value, '=', &name);
	attr = find_attr(name, true);
	if (!attr)
		return err_option(opt, err);
	if (attr->flag) {
		if (value.text)
			return err_token(err, opt, "takes no value");
		value = one;
	} else if (!value.text) {
		return err_token(err, opt, "needs a value, as in umask=0x3");
	}

	return set_attr(ev, seen, attr, value, opt, err);
}

static int add_any(struct pmc_setreq *req, const struct token *token,
		   struct pmc_err *err)
{
	struct pmc_tok rest = token->value, piece;
	struct pmc_evreq *ev;
	u16 seen = 0;
	int ret;

	ev = add_event(req, PMC_EVREQ_ANY, token->whole, err);
	if (!ev)
		return -EINVAL;

	pmc_tok_next(&rest, ':', &piece);
	ret = get_number(piece, token->whole, U64_MAX, &ev->code, err);
	if (ret)
		return ret;
	ev->has_code = true;

	while (pmc_tok_next(&rest, ':', &piece)) {
		ret = set_option(ev, &seen, piece, err);
		if (ret)
			return ret;
	}

	return 0;
}

/* "l3" ends in a digit, which is not a counter's number. */
static int uncore_of(const struct token *token)
{
	size_t len = token->stem.len + token->digits.len;

	return token->value.text ? pmc_name_index(pmc_uncore_names,
						  PMC_UNCORE_NR,
						  token->stem.text, len) : -1;
}

static int add_uncore(struct pmc_setreq *req, const struct token *token,
		      int uncore, struct pmc_err *err)
{
	struct pmc_tok rest = token->value, piece, name;
	struct pmc_evreq *ev;
	unsigned int i;
	u16 seen = 0;
	int ret;

	ev = add_event(req, PMC_EVREQ_UNCORE, token->whole, err);
	if (!ev)
		return -EINVAL;
	ev->uncore = uncore;
	ev->has_code = true;
	pmc_tok_next(&rest, ':', &piece);
	ret = get_number(piece, token->whole, U64_MAX, &ev->code, err);
	while (!ret && pmc_tok_next(&rest, ':', &piece)) {
		pmc_tok_next(&piece, '=', &name);
		if (!piece.text || !pmc_tok_is(name, "umask"))
			return err_token(err, token->whole,
					 "a counter that CPUs share takes umask=X and no other option");
		ret = set_attr(ev, &seen, find_attr(name, true), piece, token->whole,
			       err);
	}
	for (i = 0; !ret && &req->ev[i] != ev; i++) {
		if (req->ev[i].kind == ev->kind &&
		    req->ev[i].uncore == ev->uncore &&
		    req->ev[i].code == ev->code &&
		    req->ev[i].umask == ev->umask)
			return err_token(err, token->whole, "is there twice");
	}

	return ret;
}

static int set_core_type(struct pmc_setreq *req, const struct token *token,
			 struct pmc_err *err)
{
	u64 core_type;
	int ret;

	if (req->core_type >= 0)
		return err_token(err, token->whole,
				 "a set is for one core type or for all");

	ret = get_number(token->value, token->whole, PMC_ALL_CORE_TYPES - 1,
			 &core_type, err);
	if (ret)
		return ret;
	req->core_type = core_type;

	return 0;
}

static const struct attr *attr_of(const struct token *token)
{
	if (!token->digits.len || !token->value.text)
		return NULL;

	return find_attr(token->stem, false);
}

static int err_unknown(struct pmc_tok token, struct pmc_err *err)
{
	char names[128];
	struct pmc_quoted q;
	unsigned int i;
	int len = 0;

	for (i = 0; i < ARRAY_SIZE(attrs); i++)
		len += scnprintf(names + len, sizeof(names) - len, " %sN=", attrs[i].name);
	return pmc_err(err, -EINVAL,
		       "%s: expected pmcN, pmcN=CODE, ev=CODE, sw=NAME, l3=CODE, coretype=N, or for a pmcN:%s",
		       pmc_quote(&q, token.text, token.len), names);
}

/* First reading: everything but the attributes. */
static int add_token(struct pmc_setreq *req, const struct token *token,
		     struct pmc_err *err)
{
	int uncore;

	if (!token->whole.len)
		return pmc_err(err, -EINVAL,
			       "empty word: write the events with one comma between them");
	if (token->digits.len && pmc_tok_is(token->stem, "pmc"))
		return add_pinned(req, token, err);
	if (token_is(token, "ev"))
		return add_any(req, token, err);
	if (token_is(token, "sw"))
		return add_software(req, token, err);
	if (token_is(token, "coretype"))
		return set_core_type(req, token, err);
	uncore = uncore_of(token);
	if (uncore >= 0)
		return add_uncore(req, token, uncore, err);
	if (attr_of(token))
		return 0;

	return err_unknown(token->whole, err);
}

/* Second reading: the attributes. @seen has a mask for each event. */
static int apply_token(struct pmc_setreq *req, const struct token *token, u16 *seen,
		       struct pmc_err *err)
{
	const struct attr *attr = attr_of(token);
	struct pmc_evreq *ev;
	struct pmc_quoted q;
	u64 slot;
	int ret;

	if (!attr)
		return 0;

	ret = get_number(token->digits, token->whole, PMC_MAX_SLOTS - 1, &slot,
			 err);
	if (ret)
		return ret;
	ev = find_pinned(req, slot);
	if (!ev)
		return pmc_err(err, -EINVAL, "%s: this set does not name pmc%u",
			       pmc_quote(&q, token->whole.text, token->whole.len),
			       (unsigned int)slot);

	return set_attr(ev, &seen[ev - req->ev], attr, token->value, token->whole,
			err);
}

/**
 * pmc_parse_events() - read the text of an event set
 * @spec: the text, without the "events" before it
 * @len: length of @spec in bytes
 * @req: out: the set; not to be used on error
 * @err: out: on error, which word was wrong and how
 *
 * Nothing is checked against the hardware here, which differs from core type
 * to core type.
 *
 * Context: any but NMI.
 * Return: 0 or -EINVAL.
 */
int pmc_parse_events(const char *spec, size_t len, struct pmc_setreq *req,
		     struct pmc_err *err)
{
	struct pmc_tok rest = { spec, len }, text;
	u16 seen[PMC_MAX_COUNTS] = { 0 };
	struct token token;
	int ret;

	req->core_type = -1;
	req->nr = 0;

	while (pmc_tok_next(&rest, ',', &text)) {
		split_token(text, &token);
		ret = add_token(req, &token, err);
		if (ret)
			return ret;
	}
	if (!req->nr)
		return pmc_err(err, -EINVAL,
			       "the event set has no event: add pmcN, ev=CODE or sw=NAME");

	rest = (struct pmc_tok){ spec, len };
	while (pmc_tok_next(&rest, ',', &text)) {
		split_token(text, &token);
		ret = apply_token(req, &token, seen, err);
		if (ret)
			return ret;
	}

	return 0;
}

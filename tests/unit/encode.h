/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of events for the tests of encodings. Events are given as text and parsed.
 */
#ifndef PMC_TESTS_ENCODE_H
#define PMC_TESTS_ENCODE_H

#include "base/parse_evset.h"
#include "unit.h"

#define U	0x1	/* default: user mode */
#define K	0x2	/* default: kernel mode */

/* The encoder under test; @layout is private to it and its test. */
typedef int encode_fn(const void *layout, const struct pmc_evreq *req,
		      bool user, bool kernel, u64 *config, u64 *slots,
		      struct pmc_err *err);

/* Check the encoding of an event. */
struct encoded {
	const void *layout;
	const char *text;
	unsigned int modes;
	u64 config, slots;
};

/* An event that is refused, and a part of the message */
struct refused {
	const void *layout;
	const char *text;
	unsigned int modes;
	const char *message;
};

static inline int encode_text(encode_fn *encode, const void *layout,
			      const char *text, unsigned int modes,
			      u64 *config, u64 *slots, struct pmc_err *err)
{
	struct pmc_setreq req;

	if (pmc_parse_events(text, strlen(text), &req, err))
		fail_msg("'%s': %s", text, err->text);

	return encode(layout, &req.ev[0], modes & U, modes & K, config, slots,
		      err);
}

static inline void check_encoded(encode_fn *encode, const struct encoded *cases,
				 unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct encoded *c = &cases[i];
		u64 config = 0xdead, slots = 0xdead;
		struct pmc_err err;

		if (encode_text(encode, c->layout, c->text, c->modes, &config,
				&slots, &err))
			fail_msg("'%s': %s", c->text, err.text);
		if (config != c->config || slots != c->slots)
			fail_msg("'%s' (case %u): config %#llx, slots %#llx",
				 c->text, i, (unsigned long long)config,
				 (unsigned long long)slots);
	}
}

/* Check that an event is refused, and that only the message is returned. */
static inline void check_refused(encode_fn *encode, const struct refused *cases,
				 unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct refused *c = &cases[i];
		u64 config = 0xdead, slots = 0xdead;
		struct pmc_err err;
		int ret;

		ret = encode_text(encode, c->layout, c->text, c->modes, &config,
				  &slots, &err);
		if (ret != -EINVAL)
			fail_msg("'%s' (case %u) gives %d", c->text, i, ret);
		check_message(&err, c->message);
		assert_int_equal(config, 0xdead);
		assert_int_equal(slots, 0xdead);
	}
}

#endif /* PMC_TESTS_ENCODE_H */

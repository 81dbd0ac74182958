// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "protobuf.h"

/* Wire types */
enum {
	VARINT = 0,
	I64 = 1,
	LEN = 2,
};

static void add(struct protobuf *p, const void *bytes, size_t len)
{
	unsigned char *more;

	if (p->failed)
		return;
	if (p->len + len > p->size) {
		more = realloc(p->bytes, 2 * (p->len + len));
		if (!more) {
			p->failed = 1;
			return;
		}
		p->bytes = more;
		p->size = 2 * (p->len + len);
	}
	if (len)
		memcpy(p->bytes + p->len, bytes, len);
	p->len += len;
}

/* Seven bits a byte, the lowest first; all but the last have the eighth bit. */
static void add_varint(struct protobuf *p, uint64_t value)
{
	unsigned char bytes[10];
	int n = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[n++] = value | 0x80;
	bytes[n++] = value;
	add(p, bytes, n);
}

static void add_tag(struct protobuf *p, unsigned int field, unsigned int type)
{
	add_varint(p, (uint64_t)field << 3 | type);
}

void protobuf_number(struct protobuf *p, unsigned int field, uint64_t value)
{
	add_tag(p, field, VARINT);
	add_varint(p, value);
}

void protobuf_double(struct protobuf *p, unsigned int field, double value)
{
	unsigned char bytes[8];
	uint64_t bits;
	int i;

	memcpy(&bits, &value, sizeof(bits));
	for (i = 0; i < 8; i++)
		bytes[i] = bits >> (8 * i);
	add_tag(p, field, I64);
	add(p, bytes, sizeof(bytes));
}

static void add_bytes(struct protobuf *p, unsigned int field, const void *bytes, size_t len)
{
	add_tag(p, field, LEN);
	add_varint(p, len);
	add(p, bytes, len);
}

void protobuf_string(struct protobuf *p, unsigned int field, const char *s)
{
	add_bytes(p, field, s, strlen(s));
}

void protobuf_message(struct protobuf *p, unsigned int field, struct protobuf *message)
{
	p->failed |= message->failed;
	add_bytes(p, field, message->bytes, message->len);
	message->len = 0;
	message->failed = 0;
}

void protobuf_free(struct protobuf *p)
{
	free(p->bytes);
	memset(p, 0, sizeof(*p));
}

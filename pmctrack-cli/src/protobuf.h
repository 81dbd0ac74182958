/* SPDX-License-Identifier: GPL-2.0 */
/* Messages in protobuf's wire format (protobuf.dev, "Encoding"). */
#ifndef PMCTRACK_PROTOBUF_H
#define PMCTRACK_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct protobuf - a message
 * @bytes: its fields, for free()
 * @len: how many bytes
 * @size: room in @bytes
 * @failed: there was no memory: fields are missing
 */
struct protobuf {
	unsigned char *bytes;
	size_t len;
	size_t size;
	int failed;
};

void protobuf_number(struct protobuf *p, unsigned int field, uint64_t value);
void protobuf_double(struct protobuf *p, unsigned int field, double value);
void protobuf_string(struct protobuf *p, unsigned int field, const char *s);
/* @message becomes a field, and is empty afterwards. */
void protobuf_message(struct protobuf *p, unsigned int field, struct protobuf *message);
void protobuf_free(struct protobuf *p);

#endif

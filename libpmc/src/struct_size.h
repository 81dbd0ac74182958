/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Structures of programs that were built with another version of the header. */
#ifndef LIBPMC_STRUCT_SIZE_H
#define LIBPMC_STRUCT_SIZE_H

#include <stddef.h>
#include <string.h>

/* Size of the structure in version 1.0, up to @member: the calls without a size fill that. */
#define SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* Copy the members that both sides know, and set those to 0 that only the program knows. */
static inline void copy_sized(void *to, size_t to_size, const void *from, size_t from_size)
{
	size_t both = to_size < from_size ? to_size : from_size;

	memcpy(to, from, both);
	memset((char *)to + both, 0, to_size - both);
}

#endif

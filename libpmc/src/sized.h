/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Structures of programs that were built with another version of the header. */
#ifndef LIBPMC_SIZED_H
#define LIBPMC_SIZED_H

#include <stddef.h>
#include <string.h>

/* What calls that are told no size fill: the structure of version 1.0, whose last member this is. */
#define SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* The members that both sides know; 0 for those that only the program knows. */
static inline void copy_sized(void *to, size_t to_size, const void *from, size_t from_size)
{
	size_t both = to_size < from_size ? to_size : from_size;

	memcpy(to, from, both);
	memset((char *)to + both, 0, to_size - both);
}

#endif

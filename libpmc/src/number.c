// SPDX-License-Identifier: LGPL-2.1-or-later
/* Numbers in event sets and in descriptions of the machine */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "format_event.h"

int parse_number(const char *text, uint64_t *value)
{
	int hex = text[0] == '0' && (text[1] | 0x20) == 'x';
	char *end;

	if (!isxdigit(text[hex ? 2 : 0]))
		return -1;
	errno = 0;
	*value = strtoull(text, &end, hex ? 16 : 10);
	return *end || errno ? -1 : 0;
}

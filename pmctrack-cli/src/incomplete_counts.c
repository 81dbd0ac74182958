// SPDX-License-Identifier: GPL-2.0
/* Samples whose counts are incomplete. The library says which flags these are. */
#include <pmctrack.h>

#include "incomplete_counts.h"

/* Number @n of the flags that are counted, or NULL */
static const struct pmc_loss *loss(int n)
{
	return n < MAX_LOSSES ? pmc_loss_info(n) : NULL;
}

void losses_note(uint64_t *losses, unsigned int flags)
{
	int n;

	for (n = 0; loss(n); n++)
		losses[n] += !!(flags & loss(n)->flag);
}

void losses_add(uint64_t *sum, const uint64_t *losses)
{
	int n;

	for (n = 0; loss(n); n++)
		sum[n] += losses[n];
}

int losses_any(const uint64_t *losses)
{
	int n;

	for (n = 0; loss(n); n++)
		if (losses[n])
			return 1;
	return 0;
}

void losses_print(FILE *f, const char *prefix, const uint64_t *losses)
{
	int n;

	for (n = 0; loss(n); n++) {
		if (!losses[n])
			continue;
		fputs(prefix, f);
		fprintf(f, loss(n)->sentence, (unsigned long long)losses[n]);
		fputc('\n', f);
	}
}

void losses_print_json(FILE *f, const uint64_t *losses)
{
	int n;

	for (n = 0; loss(n); n++)
		fprintf(f, "%s\"%s\": %llu", n ? ", " : "", loss(n)->name,
			(unsigned long long)losses[n]);
}

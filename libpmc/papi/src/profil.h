/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of the addresses at which an event overflows. */
#ifndef PAPI_PROFIL_H
#define PAPI_PROFIL_H

struct profile;

void profile_free(struct profile *profile);

#endif

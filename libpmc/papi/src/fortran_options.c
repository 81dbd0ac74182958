// SPDX-License-Identifier: LGPL-2.1-or-later
/* The Fortran interface, PAPIF_*: options. Fortran has no PAPI_get_opt() and PAPI_set_opt(). */
#include <string.h>

#include "fortran.h"

FORTRAN(papif_set_domain, PAPIF_SET_DOMAIN, (int *domain, int *check))
{
	*check = PAPI_set_domain(*domain);
}

FORTRAN(papif_set_cmp_domain, PAPIF_SET_CMP_DOMAIN, (int *domain, int *component, int *check))
{
	*check = PAPI_set_cmp_domain(*domain, *component);
}

FORTRAN(papif_set_event_domain, PAPIF_SET_EVENT_DOMAIN, (int *set, int *domain, int *check))
{
	PAPI_option_t option;

	memset(&option, 0, sizeof(option));
	option.domain.eventset = *set;
	option.domain.domain = *domain;
	*check = PAPI_set_opt(PAPI_DOMAIN, &option);
}

/* mode: PAPI_DEFDOM, which needs no EventSet, or PAPI_DOMAIN */
FORTRAN(papif_get_domain, PAPIF_GET_DOMAIN, (int *set, int *domain, int *mode, int *check))
{
	PAPI_option_t option;

	memset(&option, 0, sizeof(option));
	if (*mode == PAPI_DEFDOM) {
		*domain = PAPI_get_opt(PAPI_DEFDOM, NULL);
		*check = PAPI_OK;
	} else if (*mode == PAPI_DOMAIN) {
		option.domain.eventset = *set;
		*check = PAPI_get_opt(PAPI_DOMAIN, &option);
		if (*check == PAPI_OK)
			*domain = option.domain.domain;
	} else {
		*check = PAPI_EINVAL;
	}
}

FORTRAN(papif_set_granularity, PAPIF_SET_GRANULARITY, (int *granularity, int *check))
{
	*check = PAPI_set_granularity(*granularity);
}

FORTRAN(papif_set_cmp_granularity, PAPIF_SET_CMP_GRANULARITY,
	(int *granularity, int *component, int *check))
{
	*check = PAPI_set_cmp_granularity(*granularity, *component);
}

/* mode: PAPI_DEFGRN, which needs no EventSet, or PAPI_GRANUL */
FORTRAN(papif_get_granularity, PAPIF_GET_GRANULARITY,
	(int *set, int *granularity, int *mode, int *check))
{
	PAPI_option_t option;

	memset(&option, 0, sizeof(option));
	if (*mode == PAPI_DEFGRN) {
		*granularity = PAPI_get_opt(PAPI_DEFGRN, &option);
		*check = PAPI_OK;
	} else if (*mode == PAPI_GRANUL) {
		option.granularity.eventset = *set;
		*check = PAPI_get_opt(PAPI_GRANUL, &option);
		if (*check == PAPI_OK)
			*granularity = option.granularity.granularity;
	} else {
		*check = PAPI_EINVAL;
	}
}

/* PAPI leaves the EventSet of this option open; PAPI_NULL names none. */
FORTRAN(papif_set_inherit, PAPIF_SET_INHERIT, (int *inherit, int *check))
{
	PAPI_option_t option;

	memset(&option, 0, sizeof(option));
	option.inherit.eventset = PAPI_NULL;
	option.inherit.inherit = *inherit;
	*check = PAPI_set_opt(PAPI_INHERIT, &option);
}

FORTRAN(papif_get_clockrate, PAPIF_GET_CLOCKRATE, (int *rate))
{
	*rate = PAPI_get_opt(PAPI_CLOCKRATE, NULL);
}

FORTRAN(papif_get_preload, PAPIF_GET_PRELOAD, (char *name, int *check, fortran_length name_length))
{
	PAPI_option_t option;

	memset(&option, 0, sizeof(option));
	*check = PAPI_get_opt(PAPI_PRELOAD, &option);
	if (*check == PAPI_OK)
		fortran_from_c(name, name_length, option.preload.lib_preload_env);
}

FORTRAN(papif_get_dmem_info, PAPIF_GET_DMEM_INFO, (long long *info, int *check))
{
	*check = PAPI_get_dmem_info((PAPI_dmem_info_t *)info);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The presets that PAPI has names and codes for, whether a machine counts them or not. */
#ifndef LIBPMCPAPI_PRESET_NAMES_H
#define LIBPMCPAPI_PRESET_NAMES_H

/**
 * struct preset_name - one preset
 * @name: "PAPI_L1_DCM"
 * @type: PAPI_PRESET_BIT_*, of what it is an event
 * @short_descr: a few words, for a label
 * @long_descr: what it counts
 */
struct preset_name {
	const char *name;
	unsigned int type;
	const char *short_descr;
	const char *long_descr;
};

/* Presets have the codes PAPI_PRESET_MASK | 0 to PAPI_PRESET_MASK | (nr_preset_names - 1). */
extern const struct preset_name preset_names[];
extern const int nr_preset_names;

/* The preset of a code; NULL if it is no preset's. */
const struct preset_name *preset_name_of(unsigned int code);

/* The code of a preset; 0 if there is none of this name. Case matters, as in PAPI. */
unsigned int preset_code_of(const char *name);

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
/* The Fortran interface, PAPIF_*: calls that take or give texts. */
#include <string.h>

#include "fortran.h"

void fortran_to_c(char *to, const char *text, fortran_length length)
{
	if (length > FORTRAN_TEXT - 1)
		length = FORTRAN_TEXT - 1;
	while (length > 0 && text[length - 1] == ' ')
		length--;
	memcpy(to, text, length);
	to[length] = 0;
}

void fortran_from_c(char *text, fortran_length length, const char *from)
{
	int n = strnlen(from, length);

	memcpy(text, from, n);
	memset(text + n, ' ', length - n);
}

/* Names of events */

FORTRAN(papif_add_named_event, PAPIF_ADD_NAMED_EVENT,
	(int *set, char *name, int *check, fortran_length name_length))
{
	char c_name[FORTRAN_TEXT];

	fortran_to_c(c_name, name, name_length);
	*check = PAPI_add_named_event(*set, c_name);
}

FORTRAN(papif_remove_named_event, PAPIF_REMOVE_NAMED_EVENT,
	(int *set, char *name, int *check, fortran_length name_length))
{
	char c_name[FORTRAN_TEXT];

	fortran_to_c(c_name, name, name_length);
	*check = PAPI_remove_named_event(*set, c_name);
}

FORTRAN(papif_query_named_event, PAPIF_QUERY_NAMED_EVENT,
	(char *name, int *check, fortran_length name_length))
{
	char c_name[FORTRAN_TEXT];

	fortran_to_c(c_name, name, name_length);
	*check = PAPI_query_named_event(c_name);
}

FORTRAN(papif_event_name_to_code, PAPIF_EVENT_NAME_TO_CODE,
	(char *name, int *code, int *check, fortran_length name_length))
{
	char c_name[FORTRAN_TEXT];

	fortran_to_c(c_name, name, name_length);
	*check = PAPI_event_name_to_code(c_name, code);
}

FORTRAN(papif_event_code_to_name, PAPIF_EVENT_CODE_TO_NAME,
	(int *code, char *name, int *check, fortran_length name_length))
{
	char c_name[FORTRAN_TEXT] = "";

	*check = PAPI_event_code_to_name(*code, c_name);
	fortran_from_c(name, name_length, c_name);
}

FORTRAN(papif_get_event_info, PAPIF_GET_EVENT_INFO,
	(int *code, char *symbol, char *long_descr, char *short_descr, int *count, char *note,
	 int *flags, int *check, fortran_length symbol_length, fortran_length long_length,
	 fortran_length short_length, fortran_length note_length))
{
	PAPI_event_info_t info;

	(void)flags;	/* PAPI does not write them */
	*check = PAPI_get_event_info(*code, &info);
	if (*check != PAPI_OK)
		return;
	fortran_from_c(symbol, symbol_length, info.symbol);
	fortran_from_c(long_descr, long_length, info.long_descr);
	fortran_from_c(short_descr, short_length, info.short_descr);
	fortran_from_c(note, note_length, info.note);
	*count = info.count;
}

FORTRAN(papif_perror, PAPIF_PERROR, (char *message, fortran_length message_length))
{
	char c_message[FORTRAN_TEXT];

	fortran_to_c(c_message, message, message_length);
	PAPI_perror(c_message);
}

/* Regions */

FORTRAN(papif_hl_region_begin, PAPIF_HL_REGION_BEGIN,
	(char *name, int *check, fortran_length name_length))
{
	char c_name[FORTRAN_TEXT];

	fortran_to_c(c_name, name, name_length);
	*check = PAPI_hl_region_begin(c_name);
}

FORTRAN(papif_hl_read, PAPIF_HL_READ, (char *name, int *check, fortran_length name_length))
{
	char c_name[FORTRAN_TEXT];

	fortran_to_c(c_name, name, name_length);
	*check = PAPI_hl_read(c_name);
}

FORTRAN(papif_hl_region_end, PAPIF_HL_REGION_END,
	(char *name, int *check, fortran_length name_length))
{
	char c_name[FORTRAN_TEXT];

	fortran_to_c(c_name, name, name_length);
	*check = PAPI_hl_region_end(c_name);
}

/* The machine and the program */

FORTRAN(papif_get_hardware_info, PAPIF_GET_HARDWARE_INFO,
	(int *ncpu, int *nnodes, int *totalcpus, int *vendor, char *vendor_string, int *model,
	 char *model_string, float *revision, float *mhz, fortran_length vendor_length,
	 fortran_length model_length))
{
	static const PAPI_hw_info_t none;
	const PAPI_hw_info_t *info = PAPI_get_hardware_info();

	if (!info)
		info = &none;
	*ncpu = info->ncpu;
	*nnodes = info->nnodes;
	*totalcpus = info->totalcpus;
	*vendor = info->vendor;
	*model = info->model;
	*revision = info->revision;
	*mhz = info->cpu_max_mhz;
	fortran_from_c(vendor_string, vendor_length, info->vendor_string);
	fortran_from_c(model_string, model_length, info->model_string);
}

FORTRAN(papif_get_exe_info, PAPIF_GET_EXE_INFO,
	(char *fullname, char *name, long long *text_start, long long *text_end,
	 long long *data_start, long long *data_end, long long *bss_start, long long *bss_end,
	 int *check, fortran_length fullname_length, fortran_length name_length))
{
	const PAPI_address_map_t *map;
	PAPI_option_t option;

	memset(&option, 0, sizeof(option));
	*check = PAPI_get_opt(PAPI_EXEINFO, &option);
	if (*check != PAPI_OK)
		return;
	map = &option.exe_info->address_info;
	fortran_from_c(fullname, fullname_length, option.exe_info->fullname);
	fortran_from_c(name, name_length, map->name);
	*text_start = (long)map->text_start;
	*text_end = (long)map->text_end;
	*data_start = (long)map->data_start;
	*data_end = (long)map->data_end;
	*bss_start = (long)map->bss_start;
	*bss_end = (long)map->bss_end;
}

/* Kinds of devices: Fortran has no pointers to them, so that the last one is remembered. */

static void *device;

FORTRAN(papif_enum_dev_type, PAPIF_ENUM_DEV_TYPE, (int *modifier, int *handle, int *check))
{
	*check = PAPI_enum_dev_type(*modifier, &device);
	*handle = 0;
}

FORTRAN(papif_get_dev_type_attr, PAPIF_GET_DEV_TYPE_ATTR,
	(int *handle, int *attribute, int *value, char *text, int *check,
	 fortran_length text_length))
{
	const char *c_text = "";

	*handle = 0;
	*check = PAPI_EINVAL;
	if (!device)
		return;
	switch (*attribute) {
	case PAPI_DEV_TYPE_ATTR__CHAR_NAME:
	case PAPI_DEV_TYPE_ATTR__CHAR_STATUS:
		*check = PAPI_get_dev_type_attr(device, *attribute, &c_text);
		if (*check == PAPI_OK)
			fortran_from_c(text, text_length, c_text);
		break;
	default:
		*check = PAPI_get_dev_type_attr(device, *attribute, value);
	}
}

FORTRAN(papif_get_dev_attr, PAPIF_GET_DEV_ATTR,
	(int *handle, int *id, int *attribute, int *value, char *text, int *check,
	 fortran_length text_length))
{
	const char *c_text = "";

	*handle = 0;
	*check = PAPI_EINVAL;
	if (!device)
		return;
	switch (*attribute) {
	case PAPI_DEV_ATTR__CPU_CHAR_NAME:
	case PAPI_DEV_ATTR__CUDA_CHAR_DEVICE_NAME:
	case PAPI_DEV_ATTR__ROCM_CHAR_DEVICE_NAME:
		*check = PAPI_get_dev_attr(device, *id, *attribute, &c_text);
		if (*check == PAPI_OK)
			fortran_from_c(text, text_length, c_text);
		break;
	default:
		*check = PAPI_get_dev_attr(device, *id, *attribute, value);
	}
}

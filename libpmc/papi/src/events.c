// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events of all types: their names and codes, enumeration, information. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "errors.h"
#include "library.h"
#include "native.h"
#include "presets.h"
#include "virtuals.h"

const struct papi_event *papi_event_by_code(unsigned int code)
{
	return IS_NATIVE(code) ? native_by_code(code) : preset_by_code(code);
}

const struct papi_event *papi_event_by_name(const char *name, int *error)
{
	const struct papi_event *event = preset_by_name(name);

	*error = PAPI_ENOEVNT;
	if (event || preset_code(name))
		return event;
	return native_by_name(name, error);
}

int PAPI_query_event(int code)
{
	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	return papi_event_by_code(code) ? PAPI_OK : papi_fail(PAPI_ENOEVNT);
}

int PAPI_query_named_event(const char *name)
{
	int error;

	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (!name)
		return papi_fail(PAPI_EINVAL);
	return papi_event_by_name(name, &error) ? PAPI_OK : papi_fail(error);
}

int PAPI_event_name_to_code(const char *name, int *code)
{
	const struct papi_event *event;
	int error;

	if (!name || !code)
		return papi_fail(PAPI_EINVAL);
	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	/* Presets have codes whether the machine can count them or not. */
	*code = preset_code(name);
	if (*code)
		return PAPI_OK;
	event = papi_event_by_name(name, &error);
	if (!event)
		return papi_fail(error);
	*code = event->code;
	return PAPI_OK;
}

static const char *name_of(unsigned int code)
{
	const struct papi_event *event;

	if (!IS_NATIVE(code))
		return preset_name(code);
	event = native_by_code(code);
	return event ? event->name : NULL;
}

/* @name has PAPI_MAX_STR_LEN bytes. */
int PAPI_event_code_to_name(int code, char *name)
{
	const char *text;

	if (!name)
		return papi_fail(PAPI_EINVAL);
	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	text = name_of(code);
	if (!text)
		return papi_fail(IS_PRESET(code) ? PAPI_ENOTPRESET : PAPI_ENOEVNT);
	snprintf(name, PAPI_MAX_STR_LEN, "%s", text);
	return PAPI_OK;
}

int PAPI_enum_cmp_event(int *code, int modifier, int cidx)
{
	const PAPI_component_info_t *component = component_get(cidx);
	unsigned int next;
	int rc;

	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (!code)
		return papi_fail(PAPI_EINVAL);
	if (!component || component->disabled)
		return papi_fail(PAPI_ENOCMP);
	next = *code;
	if (IS_NATIVE(*code))
		rc = native_enumerate(&next, modifier, cidx);
	else
		rc = cidx == COMPONENT_CPU ? preset_enumerate(&next, modifier) : PAPI_ENOCMP;
	if (rc == PAPI_OK)
		*code = next;
	/* The end of a list is no error that a user should see. */
	return rc;
}

int PAPI_enum_event(int *code, int modifier)
{
	return PAPI_enum_cmp_event(code, modifier, COMPONENT_CPU);
}

int PAPI_get_event_component(int code)
{
	const struct papi_event *event;

	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (IS_PRESET(code) && preset_exists(code))
		return COMPONENT_CPU;
	event = papi_event_by_code(code);
	return event ? event->component : papi_fail(PAPI_ENOEVNT);
}

static void native_info(const struct papi_event *event, PAPI_event_info_t *info)
{
	info->event_code = event->code;
	info->component_index = event->component;
	snprintf(info->symbol, sizeof(info->symbol), "%s", event->name);
	if (event->desc)
		snprintf(info->long_descr, sizeof(info->long_descr), "%s", event->desc);
	snprintf(info->short_descr, sizeof(info->short_descr), "%.63s", info->long_descr);
	if (event->component == COMPONENT_VIRTUAL)
		virtual_info(event, info);
}

int PAPI_get_event_info(int code, PAPI_event_info_t *info)
{
	const struct papi_event *event;

	if (!info)
		return papi_fail(PAPI_EINVAL);
	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	memset(info, 0, sizeof(*info));
	if (!IS_NATIVE(code)) {
		int rc = preset_info(code, info);

		return papi_fail(rc);
	}
	event = native_by_code(code);
	if (!event)
		return papi_fail(PAPI_ENOEVNT);
	native_info(event, info);
	return PAPI_OK;
}

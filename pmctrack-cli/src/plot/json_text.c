// SPDX-License-Identifier: GPL-2.0
/* A JSON object with an array that may be long: its elements are made one at a time. */
#include <limits.h>
#include <string.h>

#include "common.h"
#include "json_text.h"

void json_text_init(struct json_text *t, const char *text)
{
	t->tokener = must_have(json_tokener_new());
	t->at = text;
	t->end = text + strlen(text);
}

void json_text_free(struct json_text *t)
{
	json_tokener_free(t->tokener);
}

static int is_next(struct json_text *t, char c)
{
	t->at += strspn(t->at, " \t\r\n");
	return *t->at == c;
}

static int take(struct json_text *t, char c)
{
	int taken = is_next(t, c);

	t->at += taken;
	return taken;
}

/* Any value; null is NULL. -1: it is no JSON */
static int take_value(struct json_text *t, struct json_object **value)
{
	size_t len = t->end - t->at;

	*value = json_tokener_parse_ex(t->tokener, t->at, len < INT_MAX ? len : INT_MAX);
	if (json_tokener_get_error(t->tokener) != json_tokener_success)
		return -1;
	t->at += json_tokener_get_parse_end(t->tokener);
	json_tokener_reset(t->tokener);
	return 0;
}

int json_text_next(struct json_text *t, struct json_object **element)
{
	if (take(t, ']'))
		return 0;
	if (take_value(t, element))
		return -1;
	if (take(t, ',') || is_next(t, ']'))
		return 1;
	json_object_put(*element);
	return -1;
}

/* Behind the array's beginning: go to its end. -1: it has none */
static int skip_elements(struct json_text *t)
{
	struct json_object *element;
	int rc;

	while ((rc = json_text_next(t, &element)) > 0)
		json_object_put(element);
	return rc;
}

/* A member of the object, or the beginning of the array. -1: it is no JSON */
static int take_member(struct json_text *t, struct json_object *object, const char *array,
		       const char **elements)
{
	struct json_object *key, *value;
	int rc = -1;

	if (!is_next(t, '"') || take_value(t, &key))
		return -1;
	if (take(t, ':')) {
		if (!strcmp(json_object_get_string(key), array) && take(t, '[')) {
			*elements = t->at;
			rc = skip_elements(t);
		} else if (!take_value(t, &value)) {
			rc = json_object_object_add(object, json_object_get_string(key), value);
		}
	}
	json_object_put(key);
	return rc;
}

struct json_object *json_text_read(struct json_text *t, const char *array)
{
	struct json_object *object;
	const char *elements = NULL;
	int rc = 0;

	if (!take(t, '{'))
		return NULL;
	object = must_have(json_object_new_object());
	do {
		rc = take_member(t, object, array, &elements);
	} while (!rc && take(t, ','));
	if (rc || !take(t, '}') || !is_next(t, '\0') || !elements) {
		json_object_put(object);
		return NULL;
	}
	t->at = elements;
	return object;
}

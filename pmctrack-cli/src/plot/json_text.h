/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A JSON object with an array that may be long: its elements are made one at a time, as all of them
 * would take some ten times as much memory as the text.
 */
#ifndef PMCTRACK_JSON_TEXT_H
#define PMCTRACK_JSON_TEXT_H

#include <json-c/json.h>

/**
 * struct json_text - the text, as far as it is read
 * @tokener: json-c's parser
 * @at: what comes next
 * @end: the text's end
 */
struct json_text {
	struct json_tokener *tokener;
	const char *at;
	const char *end;
};

/* bad() if there is no memory */
void json_text_init(struct json_text *t, const char *text);
void json_text_free(struct json_text *t);

/*
 * The object that is the text, for json_object_put(), without its member @array. The first
 * element of this is the next to read then. NULL: the text is something else, or not whole.
 */
struct json_object *json_text_read(struct json_text *t, const char *array);

/* The next element of the array, for json_object_put(). 0: there is none; -1: it is no JSON */
int json_text_next(struct json_text *t, struct json_object **element);

#endif

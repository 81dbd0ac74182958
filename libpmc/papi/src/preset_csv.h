/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Definitions of presets and user events, from text in the syntax of PAPI's event files:
 *
 *	CPU,NAME		the definitions below are those of this model; several such
 *				lines one after the other name several models
 *	PRESET,NAME,KIND,[FORMULA,]TERM,...[,NOTE,"text"][,SDESC,"text"][,LDESC,"text"]
 *	EVENT,...		the same; users write their own events so
 *
 * Besides PAPI's syntax, CPU,* stands for the models that no other CPU line names.
 *
 * KIND is NOT_DERIVED or DERIVED_something; only DERIVED_POSTFIX and DERIVED_INFIX have a
 * formula. Case matters in terms alone. A line that begins with # is a comment.
 */
#ifndef LIBPMCPAPI_PRESET_CSV_H
#define LIBPMCPAPI_PRESET_CSV_H

#include <stddef.h>

#include "preset_table.h"

/* Longest error line, with its terminating zero */
#define PRESET_ERROR_SIZE 512

/**
 * preset_table_parse - add the definitions of a text
 * @text: of @size bytes; any bytes
 * @name: what the text is called in an error
 * @for_all: lines before the first CPU line are for each model, and else are errors
 * @error: out: what is wrong with the first wrong line, beginning with "NAME:LINE: "; of
 *	PRESET_ERROR_SIZE bytes
 *
 * Return: number of wrong lines, which are left out; -1 without memory.
 */
int preset_table_parse(struct preset_table *table, const char *text, size_t size,
		       const char *name, int for_all, char *error);

/**
 * preset_table_read - add the definitions of a file
 *
 * Return: as preset_table_parse(); -1 also if the file cannot be read. @error then begins
 * with the file's name.
 */
int preset_table_read(struct preset_table *table, const char *path, int for_all, char *error);

/**
 * preset_table_presets - add the presets: those of the file $PAPI_CSV_EVENT_FILE, or else of all
 *	files *.csv in @folder
 * preset_table_user_events - add the events of the file $PAPI_USER_EVENTS_FILE, if it is set
 *
 * Return: as preset_table_read(). No files are no error.
 */
int preset_table_presets(struct preset_table *table, const char *folder, char *error);
int preset_table_user_events(struct preset_table *table, char *error);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Facts of a run, as lines "KEY: TEXT" of a file. */
#ifndef PMCTRACK_NODE_ABOUT_H
#define PMCTRACK_NODE_ABOUT_H

struct about {
	int nr;
	struct fact {
		char *key;
		char *text;
	} *facts;
};

/* Add a fact, or replace the one with this key. */
void about_set(struct about *about, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The text of a fact; NULL if there is none. */
const char *about_get(const struct about *about, const char *key);
/* The same as a number; NAN if there is none. */
double about_number(const struct about *about, const char *key);

/* bad() on failure */
void about_write(const struct about *about, const char *path);
void about_read(struct about *about, const char *path);
void about_free(struct about *about);

#endif

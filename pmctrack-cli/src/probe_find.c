// SPDX-License-Identifier: GPL-2.0
/* The functions that the words of a command line name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "probe_find.h"

#ifdef __aarch64__
#define TRIPLET "aarch64-linux-gnu"
#else
#define TRIPLET "x86_64-linux-gnu"
#endif

static const char programs[] = "/usr/local/bin:/usr/bin:/bin";
static const char libraries[] =
	"/usr/local/lib:/usr/lib/" TRIPLET ":/lib/" TRIPLET ":/usr/lib64:/lib64:/usr/lib:/lib";

/* A file in one of the folders of @path, which have colons between them. For free(); NULL: none */
static char *search(const char *path, const char *name)
{
	const char *folder;
	size_t len;
	char *file;

	for (folder = path; folder && *folder; folder += len + (folder[len] == ':')) {
		len = strcspn(folder, ":");
		if (asprintf(&file, "%.*s/%s", (int)len, folder, name) < 0)
			bad("out of memory");
		if (len && !access(file, R_OK))
			return file;
		free(file);
	}
	return NULL;
}

static char *find_file(const char *name, const char *variable, const char *standard, const char *what)
{
	char *file;

	if (strchr(name, '/'))
		return must_have(strdup(name));
	file = search(getenv(variable), name);
	if (!file)
		file = search(standard, name);
	if (!file)
		bad("probe: there is no %s '%s': give its path", what, name);
	return file;
}

static void open_file(struct probe_files *files, char *path)
{
	files->all = must_have(realloc(files->all, (files->nr + 1) * sizeof(*files->all)));
	probe_elf_open(&files->all[files->nr++], path);
	free(path);
}

void probe_files_open(struct probe_files *files, const char *program)
{
	memset(files, 0, sizeof(*files));
	open_file(files, find_file(program, "PATH", programs, "program"));
}

void probe_files_close(struct probe_files *files)
{
	while (files->nr)
		probe_elf_close(&files->all[--files->nr]);
	free(files->all);
}

static int find_in_library(struct probe_files *files, const char *word, size_t len,
			   struct probe_functions *functions)
{
	char *library = must_have(strndup(word, len)), *prefix;
	const char *slash = strrchr(library, '/');
	int nr;

	if (asprintf(&prefix, "%s:", slash ? slash + 1 : library) < 0)
		bad("out of memory");
	open_file(files, find_file(library, "LD_LIBRARY_PATH", libraries, "library"));
	nr = probe_elf_find(&files->all[files->nr - 1], word + len + 1, prefix, functions);
	free(prefix);
	free(library);
	return nr;
}

/* C++ names have two colons. */
static size_t library_length(const char *word)
{
	size_t len = strcspn(word, ":");

	return word[len] && word[len + 1] != ':' ? len : 0;
}

/* bad(): nothing in the file has the name, or all that has it is there already. */
static _Noreturn void find_nothing(const struct probe_elf *elf, const char *name, int is_program)
{
	if (probe_elf_is_unsafe(name))
		bad("probe: '%s' cannot have a probe at its return, which would break the program: name the functions that it calls",
		    name);
	if (probe_elf_is_chosen(elf, name))
		bad("probe: %s chooses a function for '%s' when it starts (IFUNC): such a name cannot have a probe",
		    elf->path, name);
	if (!strcmp(name, "*"))
		bad("probe: %s has no symbols of functions: take a copy that is not stripped, or name functions of a library, as LIBRARY:FUNCTION",
		    elf->path);
	bad("probe: %s has no function '%s' that is not named already: it may be inlined, or %s; '%s %s' lists symbols",
	    elf->path, name, is_program ? "a library's (LIBRARY:FUNCTION)" : "another library's",
	    is_program ? "pmctrack probe" : "nm -D", elf->path);
}

void probe_find(struct probe_files *files, const char *word, struct probe_functions *functions)
{
	size_t len = library_length(word);

	if (len && !find_in_library(files, word, len, functions))
		find_nothing(&files->all[files->nr - 1], word + len + 1, 0);
	if (!len && !probe_elf_find(&files->all[0], word, "", functions))
		find_nothing(&files->all[0], word, 1);
}

void probe_functions_free(struct probe_functions *functions)
{
	while (functions->nr)
		free(functions->all[--functions->nr].name);
	free(functions->all);
	functions->all = NULL;
}

// SPDX-License-Identifier: GPL-2.0
/* pmctrack doctor: is the kernel module loaded, and if not, why not? */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

/* What modprobe would load is in the kernel's list of modules. */
static int in_list(const struct doctor *d, const char *release, char *path, size_t size)
{
	char *list = doctor_text(d, "lib/modules/%s/modules.dep", release), *line, *save;
	int found = 0;

	for (line = list ? strtok_r(list, "\n", &save) : NULL; line && !found; line = strtok_r(NULL, "\n", &save)) {
		char *name = strstr(line, "/pmctrack.ko"), *colon = strchr(line, ':');

		if (!name || !colon || name > colon)
			continue;
		*colon = '\0';
		snprintf(path, size, "lib/modules/%s/%s", release, line);
		found = doctor_exists(d, "%s", path);
	}
	free(list);
	return found;
}

static int in_folders(const struct doctor *d, const char *release, char *path, size_t size)
{
	static const char *const folders[] = { "updates/dkms", "updates", "extra" };
	static const char *const ends[] = { "", ".xz", ".zst", ".gz" };
	size_t i, j;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		for (j = 0; j < sizeof(ends) / sizeof(ends[0]); j++) {
			snprintf(path, size, "lib/modules/%s/%s/pmctrack.ko%s", release, folders[i], ends[j]);
			if (doctor_exists(d, "%s", path))
				return 1;
		}
	return 0;
}

int doctor_installed(const struct doctor *d, const char *release, char *path, size_t size)
{
	return in_list(d, release, path, size) || in_folders(d, release, path, size) ? 0 : -1;
}

/* A kernel other than the running one that has the module. Return: 0 if there is one. */
static int other_kernel(const struct doctor *d, char *release, size_t size)
{
	char path[512];
	size_t i, nr;
	glob_t found;
	int rc = -1;

	nr = doctor_find(d, "lib/modules/*", &found);
	for (i = 0; i < nr && rc; i++) {
		snprintf(release, size, "%s", strrchr(found.gl_pathv[i], '/') + 1);
		rc = strcmp(release, d->release) ? doctor_installed(d, release, path, sizeof(path)) : -1;
	}
	globfree(&found);
	return rc;
}

static int has_dkms(const struct doctor *d)
{
	return doctor_exists(d, "usr/sbin/dkms");
}

static int is_registered(const struct doctor *d)
{
	return has_dkms(d) && doctor_exists(d, "var/lib/dkms/pmctrack");
}

static int has_headers(const struct doctor *d)
{
	return doctor_exists(d, "lib/modules/%s/build/Makefile", d->release);
}

/* How the module gets into this kernel's folder */
static void install_remedy(struct doctor *d)
{
	if (!has_headers(d))
		doctor_remedy(d, "sudo apt-get install linux-headers-$(uname -r)");
	if (is_registered(d))
		doctor_remedy(d, "sudo dkms install pmctrack/" PMC_VERSION " -k $(uname -r)");
	else
		doctor_remedy(d, "in pmctrack's source: sudo make install && sudo modprobe pmctrack");
}

static void say_not_loaded(struct doctor *d)
{
	const char *headers = has_headers(d) ? "" : ", whose headers are missing";
	char path[512], other[128];

	if (!doctor_exists(d, "lib/modules/%s", d->release)) {
		doctor_say(d, FAIL, "not loaded; here is no folder of modules for this kernel (a container?)");
		doctor_remedy(d, "outside of the container: sudo modprobe pmctrack");
	} else if (in_list(d, d->release, path, sizeof(path))) {
		doctor_say(d, FAIL, "installed for this kernel, but not loaded");
		doctor_remedy(d, "sudo modprobe pmctrack");
	} else if (in_folders(d, d->release, path, sizeof(path))) {
		doctor_say(d, FAIL, "not loaded; /%s is not in the kernel's list of modules", path);
		doctor_remedy(d, "sudo depmod -a && sudo modprobe pmctrack");
	} else if (!other_kernel(d, other, sizeof(other))) {
		doctor_say(d, FAIL, "installed for Linux %s, but not for this kernel%s", other, headers);
		install_remedy(d);
	} else {
		doctor_say(d, FAIL, "not installed for this kernel%s", headers);
		install_remedy(d);
	}
}

/* "backend intel" in /proc/pmc/info, after its line of the version */
static void say_loaded(struct doctor *d, const char *info)
{
	const char *line = strstr(info, "\nbackend ");
	char version[64] = "unknown", backend[32] = "unknown";

	sscanf(info, "pmctrack %63s", version);
	if (line)
		sscanf(line, " backend %31s", backend);
	if (strcmp(version, PMC_VERSION)) {
		doctor_say(d, FAIL, "version %s is loaded; this command's version is " PMC_VERSION, version);
		doctor_remedy(d, "sudo modprobe -r pmctrack && sudo modprobe pmctrack");
		return;
	}
	doctor_say(d, OK, "version %s is loaded; backend %s", version, backend);
}

void doctor_module(struct doctor *d)
{
	char *info = doctor_text(d, "proc/pmc/info");

	if (info) {
		say_loaded(d, info);
	} else {
		say_not_loaded(d);
		if (d->machine && !pmc_machine_has_module(d->machine))
			doctor_say(d, NOTE, "without it, perf_event_open() counts: fewer kinds of samples, no virtual counters");
	}
	free(info);
}

void doctor_new_kernels(struct doctor *d)
{
	char path[512];

	if (is_registered(d)) {
		doctor_say(d, OK, "DKMS builds the module for each new kernel");
	} else if (doctor_installed(d, d->release, path, sizeof(path))) {
		doctor_say(d, NOTE, "DKMS does not know the module, which is not installed for this kernel");
	} else {
		doctor_say(d, NOTE, "the module is for this kernel only: DKMS %s",
			   has_dkms(d) ? "does not know it" : "is not installed");
		doctor_remedy(d, "%sin pmctrack's source: sudo make install",
			      has_dkms(d) ? "" : "sudo apt-get install dkms; ");
	}
}

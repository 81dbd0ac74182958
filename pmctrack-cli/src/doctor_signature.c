// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack doctor: Secure Boot. Does the kernel load signed modules only, and would it load
 * this one? The list of the machine's owner's keys (MOK) and the kernel's log say so.
 */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

#define MOK_PUB "var/lib/dkms/mok.pub"
#define MOK_KEY "/" MOK_PUB
#define MAGIC "~Module signature appended~\n"

static const char *const key_lists[] = {
	"sys/firmware/efi/mok-variables/MokListRT",
	"sys/firmware/efi/efivars/MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23",
};

/* Messages of the kernel when it refuses a module. They do not name the module. */
static const char *const refusals[] = {
	"Loading of unsigned module is rejected",
	"Loading of module with unavailable key is rejected",
	"unsigned module loading is restricted",
	"PKCS#7 signature not signed with a trusted key",
};

/* The word in brackets, as in "none [integrity] confidentiality" */
static void lockdown_of(const struct doctor *d, char *buf, size_t size)
{
	char *text = doctor_text(d, "sys/kernel/security/lockdown"), *word = text ? strchr(text, '[') : NULL;

	snprintf(buf, size, "none");
	if (word && strchr(word, ']'))
		snprintf(buf, size, "%.*s", (int)strcspn(word + 1, "]"), word + 1);
	free(text);
}

/* The variable's value is behind four bytes of attributes. */
static int secure_boot(const struct doctor *d)
{
	size_t size;
	char *value = doctor_bytes(d, &size, "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c");
	int on = value && size > 4 && value[4] == 1;

	free(value);
	return on;
}

static int was_refused(const struct doctor *d)
{
	char *log = doctor_text(d, "dev/kmsg");
	int refused = 0;
	size_t i;

	for (i = 0; log && i < sizeof(refusals) / sizeof(refusals[0]); i++)
		refused |= strstr(log, refusals[i]) != NULL;
	free(log);
	return refused;
}

/* Is the file a module without a signature? 0 for a compressed one, whose end is not known. */
static int is_unsigned(const struct doctor *d)
{
	char path[512], *bytes;
	size_t size, len = strlen(MAGIC);
	int is = 0;

	if (doctor_installed(d, d->release, path, sizeof(path)) || strcmp(path + strlen(path) - 3, ".ko"))
		return 0;
	bytes = doctor_bytes(d, &size, "%s", path);
	if (bytes)
		is = size < len || memcmp(bytes + size - len, MAGIC, len);
	free(bytes);
	return is;
}

/* Is the key in a list of enrolled keys? -1: no list can be read */
static int is_enrolled(const struct doctor *d, const char *key, size_t key_size)
{
	int known = -1;
	size_t size, i;
	char *list;

	for (i = 0; i < sizeof(key_lists) / sizeof(key_lists[0]) && known <= 0; i++) {
		list = doctor_bytes(d, &size, "%s", key_lists[i]);
		if (!list)
			continue;
		known = memmem(list, size, key, key_size) != NULL;
		free(list);
	}
	return known;
}

static void enrol_remedy(struct doctor *d)
{
	doctor_remedy(d, "sudo mokutil --import " MOK_KEY);
	doctor_remedy(d, "sudo reboot; before Linux starts: Enroll MOK, Continue, Yes");
}

static void examine_key(struct doctor *d, const char *why)
{
	size_t size;
	char *key = doctor_bytes(d, &size, MOK_PUB);
	int enrolled = key && size ? is_enrolled(d, key, size) : 0;

	if (!key || is_unsigned(d)) {
		doctor_say(d, FAIL, "only signed modules are loaded (%s), and %s", why,
			   key ? "this one is not signed" : "no key to sign them is here (" MOK_KEY ")");
		doctor_remedy(d, "sudo apt-get install dkms openssl mokutil");
		doctor_remedy(d, "in pmctrack's source: sudo make install");
	} else if (!enrolled) {
		doctor_say(d, FAIL, "only signed modules are loaded (%s), and the firmware does not know DKMS's key", why);
		enrol_remedy(d);
	} else if (was_refused(d)) {
		doctor_say(d, FAIL, "only signed modules are loaded (%s), and the kernel has refused a module%s", why,
			   enrolled > 0 ? " although DKMS's key is enrolled" : "");
		if (enrolled > 0)
			doctor_remedy(d, "sudo dkms install --force pmctrack/" PMC_VERSION " -k $(uname -r)");
		else
			enrol_remedy(d);
	} else if (enrolled < 0) {
		doctor_say(d, NOTE, "only signed modules are loaded (%s). If modprobe says 'Key was rejected by service', the firmware does not know DKMS's key",
			   why);
		enrol_remedy(d);
	} else {
		doctor_say(d, OK, "only signed modules are loaded (%s), and DKMS's key is enrolled", why);
	}
	free(key);
}

void doctor_signature(struct doctor *d)
{
	const char *boot = secure_boot(d) ? "Secure Boot is on" : "Secure Boot is off";
	char lockdown[32], why[64];

	lockdown_of(d, lockdown, sizeof(lockdown));
	if (!strcmp(lockdown, "none") && !doctor_is(d, "sys/module/module/parameters/sig_enforce", "Y")) {
		doctor_say(d, OK, "%s; modules need no signature", boot);
		return;
	}
	snprintf(why, sizeof(why), "%s, lockdown %s", boot, lockdown);
	if (doctor_exists(d, "proc/pmc/info"))
		doctor_say(d, OK, "only signed modules are loaded (%s), and this one is", why);
	else
		examine_key(d, why);
}

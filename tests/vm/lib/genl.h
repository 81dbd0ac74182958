/* SPDX-License-Identifier: GPL-2.0 */
/* The module's generic netlink family, by system calls alone. */
#ifndef GENL_H
#define GENL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uapi/pmctrack_netlink.h>

struct message {
	int command;
	uint32_t session, uid, pid;
	char comm[16];
	char description[PMC_DESCRIPTION_LEN];
	uint64_t period, lost;
	bool other_pids;
	unsigned char records[65536];
	size_t len;
};

int genl_open(void);
/* Requests are sent by sendto() with the kernel's address from here on. */
void genl_use_address(void);
/* Return: 0 or -errno. */
int genl_listen(int fd, uint32_t session);
/* Sends PMC_NL_SESSIONS. The answers come as PMC_NL_BEGIN, and one whose command is 0. */
void genl_ask_sessions(int fd);
/* Send @len bytes as a request of the family, whatever is in them. */
void genl_send(int fd, int command, int flags, const void *attributes, size_t len);
/* The next message. Return: false if none came within @ms. */
bool genl_next(int fd, struct message *m, int ms);

#endif

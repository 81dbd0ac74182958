/* SPDX-License-Identifier: GPL-2.0 */
/* What both HTTP servers share, by libmicrohttpd: how they listen, take requests and answer. */
#ifndef PMCTRACK_WEB_HTTP_H
#define PMCTRACK_WEB_HTTP_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <stddef.h>

/* Connections that a server has at most */
#define HTTP_CONNECTIONS 64

/**
 * struct http_place - where a server listens, and how
 * @address: IPv4 address and port, unless @fd is
 * @fd: a socket that listens; -1: none
 * @timeout: a connection on which nothing happens for so many seconds is closed
 * @flags: of libmicrohttpd, besides those of a server that has a thread of its own
 */
struct http_place {
	struct sockaddr_in address;
	int fd;
	unsigned int timeout;
	unsigned int flags;
};

/*
 * Begin to answer requests by @handle, which is called with @of. The server's thread takes no signal
 * that is blocked now. Return: NULL on failure, with errno.
 */
struct MHD_Daemon *http_start(const struct http_place *place, MHD_AccessHandlerCallback handle, void *of);

/*
 * Is there a whole request? libmicrohttpd calls for its head alone before, and for each part of an
 * uploaded body, which is not read. @state, @upload_size: what the handler was called with
 */
int http_is_whole(void **state, size_t *upload_size);

/* Add the headers of all answers: nothing is stored, shown in a frame, or taken for another type. */
void http_add_headers(struct MHD_Response *response);

/* Answer, and give the response back. NULL: there was no memory for it. */
enum MHD_Result http_answer(struct MHD_Connection *connection, unsigned int status,
			    struct MHD_Response *response);

/* Answer with a text that stays where it is. */
enum MHD_Result http_answer_text(struct MHD_Connection *connection, unsigned int status, const char *text);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A page for a browser that shows a run while it goes on, on this machine's loopback address. Nobody
 * sees anything without one of two random words, which are part of the page's address: with the
 * first one, a viewer may also stop the run and start it again.
 */
#ifndef PMCTRACK_WEB_SERVER_H
#define PMCTRACK_WEB_SERVER_H

#include <stddef.h>
#include <stdint.h>

struct server;

/* A request of a viewer who may control the run */
enum request { REQUEST_NONE, REQUEST_STOP, REQUEST_START };

/*
 * Listen on @port of 127.0.0.1, or on any free one if it is 0. Of the report of a run, @most bytes
 * are kept. bad() if that is not possible. The server has a thread of its own, which takes no signal
 * that is blocked now.
 */
struct server *server_start(unsigned int port, size_t most);

unsigned int server_port(const struct server *s);

/* The first part of the page's path: without a right to control the run, and with it */
const char *server_view_path(const struct server *s);
const char *server_control_path(const struct server *s);

/* A run begins. Viewers of an earlier one see its end. */
void server_begin_run(struct server *s);

/* The next part of the run's report. bad() without memory */
void server_add(struct server *s, const char *text, size_t len);

/* There is no more of the run's report. */
void server_end_run(struct server *s);

/*
 * Disconnect viewers that have gone while they waited: libmicrohttpd does not watch connections that
 * have nothing to send, and each is one of those that the server can have.
 */
void server_check_viewers(struct server *s);

/* A file descriptor that can be read if there is a request. */
int server_request_fd(const struct server *s);

/* The latest request since the last call */
enum request server_request(struct server *s);

/* End the run's report and the server, after viewers have read all, or a second. */
void server_end(struct server *s);

#endif

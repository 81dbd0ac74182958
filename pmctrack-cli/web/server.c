// SPDX-License-Identifier: GPL-2.0
/* A page for a browser that shows a run while it goes on, by libmicrohttpd. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include "common.h"
#include "history.h"
#include "http.h"
#include "page.h"
#include "server.h"

/* A viewer that reads nothing for so long is disconnected. */
#define TIMEOUT_S 60
#define VIEW "/view/"
#define CONTROL "/control/"
#define NR_RANDOM 16
/* "/control/", 32 digits, the end */
#define PATH_SIZE (sizeof(CONTROL) + 2 * NR_RANDOM)
/* Behind the last report */
#define LAST_LINE "\nserver ended\n"

/**
 * struct viewer - a connection that reads a report
 * @server: whose it is
 * @connection: it waits for more of the report if @waits
 * @waits: the connection is suspended
 * @gone: the viewer has closed the connection meanwhile
 * @run: number of the run
 * @place: see history.h
 * @nr_last: so many bytes of LAST_LINE were sent
 * @next: of the server's list
 */
struct viewer {
	struct server *server;
	struct MHD_Connection *connection;
	int waits;
	int gone;
	unsigned int run;
	uint64_t place;
	size_t nr_last;
	struct viewer *next;
};

/**
 * struct server - the server
 * @daemon: libmicrohttpd's part
 * @page: what all viewers get
 * @view: the path of the page
 * @control: its path for those who may control the run
 * @lock: of all that follows
 * @report: of the run
 * @run: its number, from 1; 0: none has begun
 * @run_ended: no more will be added to @report
 * @ends: the server ends
 * @viewers: a list
 * @request: the latest
 * @request_fd: an eventfd, which is written with a request
 */
struct server {
	struct MHD_Daemon *daemon;
	struct MHD_Response *page;
	char view[PATH_SIZE];
	char control[PATH_SIZE];
	pthread_mutex_t lock;
	struct history report;
	unsigned int run;
	int run_ended;
	int ends;
	struct viewer *viewers;
	enum request request;
	int request_fd;
};

/* ---- Reports ---- */

/* Let all viewers go on that wait. Call this with the lock. */
static void wake(struct server *s)
{
	struct viewer *v;

	for (v = s->viewers; v; v = v->next) {
		if (v->waits)
			MHD_resume_connection(v->connection);
		v->waits = 0;
	}
}

static size_t read_last_line(struct viewer *v, char *buf, size_t size)
{
	size_t n = strlen(LAST_LINE) - v->nr_last;

	if (n > size)
		n = size;
	memcpy(buf, LAST_LINE + v->nr_last, n);
	v->nr_last += n;
	return n;
}

/* A viewer can take @size bytes. */
static ssize_t read_report(void *of, uint64_t pos, char *buf, size_t size)
{
	struct viewer *v = of;
	struct server *s = v->server;
	ssize_t n = 0;

	(void)pos;
	pthread_mutex_lock(&s->lock);
	/* It asked for an earlier run, or waited for this one. */
	if (!v->place)
		v->run = s->run > v->run ? s->run : v->run;
	if (v->run == s->run)
		n = history_read(&s->report, &v->place, buf, size);
	if (!n && s->ends)
		n = read_last_line(v, buf, size);
	if (!n && v->gone)
		n = MHD_CONTENT_READER_END_WITH_ERROR;
	if (!n && (s->ends || v->run < s->run || (v->run == s->run && s->run_ended)))
		n = MHD_CONTENT_READER_END_OF_STREAM;
	if (!n) {
		v->waits = 1;
		MHD_suspend_connection(v->connection);
	}
	pthread_mutex_unlock(&s->lock);
	return n;
}

static void remove_viewer(void *of)
{
	struct viewer *v = of, **link;
	struct server *s = v->server;

	pthread_mutex_lock(&s->lock);
	for (link = &s->viewers; *link != v; link = &(*link)->next)
		;
	*link = v->next;
	pthread_mutex_unlock(&s->lock);
	free(v);
}

static struct viewer *add_viewer(struct server *s, struct MHD_Connection *connection, unsigned int run)
{
	struct viewer *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->server = s;
	v->connection = connection;
	pthread_mutex_lock(&s->lock);
	v->run = run > s->run ? run : s->run;
	/* The first run may not have begun yet. */
	v->run += !v->run;
	v->next = s->viewers;
	s->viewers = v;
	pthread_mutex_unlock(&s->lock);
	return v;
}

static int has_gone(const struct viewer *v)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(v->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct pollfd fd = { info->connect_fd, POLLRDHUP, 0 };

	return poll(&fd, 1, 0) > 0;
}

void server_check_viewers(struct server *s)
{
	struct viewer *v;

	pthread_mutex_lock(&s->lock);
	for (v = s->viewers; v; v = v->next) {
		if (!v->waits || !has_gone(v))
			continue;
		v->gone = 1;
		v->waits = 0;
		MHD_resume_connection(v->connection);
	}
	pthread_mutex_unlock(&s->lock);
}

/* ---- Requests ---- */

static enum MHD_Result send_page(struct server *s, struct MHD_Connection *connection)
{
	return MHD_queue_response(connection, MHD_HTTP_OK, s->page);
}

/* The report of run @number, or of the present one if it is later */
static enum MHD_Result send_report(struct server *s, struct MHD_Connection *connection,
				   const char *number)
{
	struct viewer *v = add_viewer(s, connection, strtoul(number, NULL, 10));
	struct MHD_Response *response;
	char text[16];

	if (!v)
		return MHD_NO;
	snprintf(text, sizeof(text), "%u", v->run);
	response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1 << 16, read_report, v,
						     remove_viewer);
	if (!response) {
		remove_viewer(v);
		return MHD_NO;
	}
	MHD_add_response_header(response, "Content-Type", "text/plain; charset=utf-8");
	MHD_add_response_header(response, "Run", text);
	return http_answer(connection, MHD_HTTP_OK, response);
}

static enum MHD_Result take_request(struct server *s, struct MHD_Connection *connection,
				    enum request request)
{
	pthread_mutex_lock(&s->lock);
	s->request = request;
	pthread_mutex_unlock(&s->lock);
	eventfd_write(s->request_fd, 1);
	return http_answer_text(connection, MHD_HTTP_NO_CONTENT, "");
}

/* The text behind @path at the begin of @url, or NULL. The time says nothing about @path. */
static const char *behind(const char *url, const char *path)
{
	size_t len = strlen(path), i;
	unsigned char differs = 0;

	if (strlen(url) < len)
		return NULL;
	for (i = 0; i < len; i++)
		differs |= url[i] ^ path[i];
	return differs ? NULL : url + len;
}

static enum MHD_Result handle(void *of, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **state)
{
	struct server *s = of;
	const char *viewed = behind(url, s->view), *controlled = behind(url, s->control), *name;

	(void)version;
	(void)upload;
	if (!http_is_whole(state, upload_size))
		return MHD_YES;
	name = controlled ? controlled : viewed;
	if (!name)
		return http_answer_text(connection, MHD_HTTP_NOT_FOUND,
					"There is nothing here. pmctrack web has printed the page's address.\n");
	if (!strcmp(method, "GET") && !*name)
		return send_page(s, connection);
	if (!strcmp(method, "GET") && !strncmp(name, "run/", 4))
		return send_report(s, connection, name + 4);
	if (!strcmp(method, "POST") && !controlled)
		return http_answer_text(connection, MHD_HTTP_FORBIDDEN,
					"This address is for viewers only.\n");
	if (!strcmp(method, "POST") && !strcmp(name, "stop"))
		return take_request(s, connection, REQUEST_STOP);
	if (!strcmp(method, "POST") && !strcmp(name, "start"))
		return take_request(s, connection, REQUEST_START);
	return http_answer_text(connection, MHD_HTTP_NOT_FOUND, "There is nothing here.\n");
}

/* ---- Begin and end ---- */

/* @first and a random word */
static void make_path(char *path, const char *first)
{
	unsigned char bytes[NR_RANDOM];
	int i;

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		bad("the kernel has no random numbers: %s", strerror(errno));
	path = stpcpy(path, first);
	for (i = 0; i < NR_RANDOM; i++)
		path += sprintf(path, "%02x", bytes[i]);
	strcpy(path, "/");
}

static struct MHD_Response *make_page(void)
{
	struct MHD_Response *page;
	size_t size;
	char *text;
	FILE *f = must_have(open_memstream(&text, &size));

	page_begin(f);
	page_end(f);
	if (fclose(f))
		bad("out of memory");
	page = must_have(MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE));
	MHD_add_response_header(page, "Content-Type", "text/html; charset=utf-8");
	http_add_headers(page);
	return page;
}

struct server *server_start(unsigned int port, size_t most)
{
	const struct http_place place = {
		.address = {
			.sin_family = AF_INET,
			.sin_port = htons(port),
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		},
		.fd = -1,
		.timeout = TIMEOUT_S,
		.flags = MHD_ALLOW_SUSPEND_RESUME,
	};
	struct server *s = new_array(1, sizeof(*s));

	pthread_mutex_init(&s->lock, NULL);
	history_init(&s->report, most);
	make_path(s->view, VIEW);
	make_path(s->control, CONTROL);
	s->page = make_page();
	s->request_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->request_fd < 0)
		bad("no eventfd: %s", strerror(errno));
	s->daemon = http_start(&place, handle, s);
	if (!s->daemon)
		bad("cannot listen on port %u: %s", port, strerror(errno));
	return s;
}

unsigned int server_port(const struct server *s)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);

	return info ? info->port : 0;
}

const char *server_view_path(const struct server *s)
{
	return s->view;
}

const char *server_control_path(const struct server *s)
{
	return s->control;
}

void server_begin_run(struct server *s)
{
	size_t most = s->report.most;

	pthread_mutex_lock(&s->lock);
	history_free(&s->report);
	history_init(&s->report, most);
	s->run++;
	s->run_ended = 0;
	wake(s);
	pthread_mutex_unlock(&s->lock);
}

void server_add(struct server *s, const char *text, size_t len)
{
	int err;

	pthread_mutex_lock(&s->lock);
	err = history_add(&s->report, text, len);
	wake(s);
	pthread_mutex_unlock(&s->lock);
	if (err)
		bad("out of memory");
}

void server_end_run(struct server *s)
{
	pthread_mutex_lock(&s->lock);
	s->run_ended = 1;
	wake(s);
	pthread_mutex_unlock(&s->lock);
}

int server_request_fd(const struct server *s)
{
	return s->request_fd;
}

enum request server_request(struct server *s)
{
	enum request request;
	eventfd_t nr;

	eventfd_read(s->request_fd, &nr);
	pthread_mutex_lock(&s->lock);
	request = s->request;
	s->request = REQUEST_NONE;
	pthread_mutex_unlock(&s->lock);
	return request;
}

static int has_viewers(struct server *s)
{
	int has;

	pthread_mutex_lock(&s->lock);
	has = s->viewers != NULL;
	pthread_mutex_unlock(&s->lock);
	return has;
}

void server_end(struct server *s)
{
	int i;

	pthread_mutex_lock(&s->lock);
	s->ends = 1;
	wake(s);
	pthread_mutex_unlock(&s->lock);
	for (i = 0; i < 100 && has_viewers(s); i++)
		usleep(10000);
	MHD_stop_daemon(s->daemon);
	MHD_destroy_response(s->page);
	close(s->request_fd);
	history_free(&s->report);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack-openmetrics-http: answer requests for /metrics with the latest text that pmctrack
 * openmetrics has written to standard input.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common.h"
#include "http.h"

/* As other exporters of metrics do; Prometheus's list of ports has it for OpenTelemetry. */
#define DEFAULT_PORT 9464
#define TIMEOUT_S 10
#define LAST_LINE "# EOF\n"
#define TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

static const char help[] =
"Usage: pmctrack openmetrics [OPTION]... | pmctrack-openmetrics-http [OPTION]...\n"
"Answer HTTP requests for /metrics with the latest text that pmctrack openmetrics has written: for\n"
"Prometheus, Grafana's agent, netdata, Performance Co-Pilot's openmetrics agent and others. Ends with\n"
"its input.\n"
"\n"
"      --port=N           listen on port N (default 9464)\n"
"      --address=ADDRESS  at this IPv4 address of the machine (default 127.0.0.1: this machine alone);\n"
"                         0.0.0.0: at all of them\n"
"      --socket=PATH      listen on a unix socket instead\n"
"  -h, --help             show this text\n"
"\n"
"Example: pmctrack openmetrics -d 5 -m ipc,llc_mpki | pmctrack-openmetrics-http\n"
"         curl http://127.0.0.1:9464/metrics\n";

struct options {
	unsigned int port;
	const char *address;
	const char *socket;
};

/* The latest whole text; NULL: there is none yet */
static struct MHD_Response *latest;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * The owner of a web page may have its name lead to 127.0.0.1, so that the page may read the metrics of
 * whoever opens it (DNS rebinding). The browser asks for that name. Other programs of this machine ask
 * for a number or localhost.
 */
static int is_name_of_others(struct MHD_Connection *connection)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
	struct in_addr address;
	char name[256];

	if (!host || *host == '[')
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(host, ":"), host);
	return strcasecmp(name, "localhost") && inet_pton(AF_INET, name, &address) != 1;
}

static enum MHD_Result answer_metrics(struct MHD_Connection *connection)
{
	enum MHD_Result result;

	pthread_mutex_lock(&lock);
	if (latest)
		result = MHD_queue_response(connection, MHD_HTTP_OK, latest);
	else
		result = http_answer_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
					  "The first interval is not over yet.\n");
	pthread_mutex_unlock(&lock);
	return result;
}

/* @of: struct http_place */
static enum MHD_Result handle(void *of, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **state)
{
	const struct http_place *place = of;

	(void)version;
	(void)upload;
	if (!http_is_whole(state, upload_size))
		return MHD_YES;
	if (place->fd < 0 && ntohl(place->address.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET &&
	    is_name_of_others(connection))
		return http_answer_text(connection, MHD_HTTP_FORBIDDEN,
					"Only this machine is answered here: ask for 127.0.0.1 or localhost.\n");
	if (strcmp(method, "GET") && strcmp(method, "HEAD"))
		return http_answer_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
					"Only GET and HEAD are allowed.\n");
	if (strcmp(url, "/metrics"))
		return http_answer_text(connection, MHD_HTTP_NOT_FOUND, "The metrics are in /metrics.\n");
	return answer_metrics(connection);
}

/* Answer with @text from now on, which becomes the response's. */
static void replace(char *text, size_t len)
{
	struct MHD_Response *new = must_have(MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE)), *old;

	MHD_add_response_header(new, "Content-Type", TYPE);
	http_add_headers(new);
	pthread_mutex_lock(&lock);
	old = latest;
	latest = new;
	pthread_mutex_unlock(&lock);
	/* Connections that still send it keep it. */
	if (old)
		MHD_destroy_response(old);
}

/* Take text after text, until the input ends. Return: 0, or the errno of its end */
static int take_texts(void)
{
	char *line = NULL, *text = NULL;
	size_t size = 0, len = 0;
	FILE *f = NULL;
	int error = 0;

	while (getline(&line, &size, stdin) > 0) {
		if (!f)
			f = must_have(open_memstream(&text, &len));
		fputs(line, f);
		if (strcmp(line, LAST_LINE))
			continue;
		if (fclose(f))
			bad("out of memory");
		f = NULL;
		replace(text, len);
	}
	if (ferror(stdin))
		error = errno;
	if (f) {
		fclose(f);
		free(text);
	}
	free(line);
	return error;
}

static void listen_at_path(const char *path, struct http_place *place)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	place->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (strlen(path) >= sizeof(address.sun_path))
		bad("--socket: the path is too long: %s", path);
	strcpy(address.sun_path, path);
	if (place->fd < 0 || bind(place->fd, (struct sockaddr *)&address, sizeof(address)))
		bad("--socket: cannot listen on %s: %s%s", path, strerror(errno),
		    errno == EADDRINUSE ? ": if nobody uses it any more, remove it" : "");
	if (listen(place->fd, HTTP_CONNECTIONS))
		bad("--socket: cannot listen on %s: %s", path, strerror(errno));
}

static struct MHD_Daemon *start(const struct options *o)
{
	static struct http_place place = { .address.sin_family = AF_INET, .fd = -1, .timeout = TIMEOUT_S };
	struct MHD_Daemon *daemon;

	place.address.sin_port = htons(o->port);
	if (inet_pton(AF_INET, o->address, &place.address.sin_addr) != 1)
		bad("--address takes an IPv4 address, as 127.0.0.1, not '%s'", o->address);
	if (o->socket)
		listen_at_path(o->socket, &place);
	daemon = http_start(&place, handle, &place);
	if (!daemon && o->socket)
		bad("cannot listen on %s: %s", o->socket, strerror(errno));
	if (!daemon)
		bad("cannot listen on %s, port %u: %s", o->address, o->port, strerror(errno));
	return daemon;
}

static void parse(struct options *o, int argc, char **argv)
{
	static const struct option names[] = {
		{ "port", required_argument, NULL, 'p' },
		{ "address", required_argument, NULL, 'a' },
		{ "socket", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", names, NULL)) >= 0) {
		if (c == 'p')
			o->port = option_number("--port", optarg, 1, 65535);
		else if (c == 'a')
			o->address = optarg;
		else if (c == 's')
			o->socket = optarg;
		else if (c == 'h')
			exit(printf("%s", help) < 0);
		else
			exit(2);
	}
	if (optind < argc)
		bad("'%s' is no option: the text comes from standard input", argv[optind]);
	if (isatty(STDIN_FILENO))
		bad("nothing is written to standard input; type: pmctrack openmetrics | pmctrack-openmetrics-http");
}

static const char *socket_path;

static void remove_socket(int number)
{
	if (socket_path)
		unlink(socket_path);
	_exit(128 + number);
}

/* With nohup, the end of a terminal does not end the program. */
static void catch_signal(int number)
{
	if (signal(number, remove_socket) == SIG_IGN && number != SIGINT)
		signal(number, SIG_IGN);
}

/* A signal that comes while the socket is made is handled afterwards, so that no socket remains. */
static struct MHD_Daemon *start_and_catch_signals(const struct options *o)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct MHD_Daemon *daemon;
	sigset_t set, before;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaddset(&set, ends[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	daemon = start(o);
	socket_path = o->socket;
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		catch_signal(ends[i]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return daemon;
}

int main(int argc, char **argv)
{
	struct options o = { DEFAULT_PORT, "127.0.0.1", NULL };
	struct MHD_Daemon *daemon;
	int error;

	parse(&o, argc, argv);
	signal(SIGPIPE, SIG_IGN);
	daemon = start_and_catch_signals(&o);
	error = take_texts();
	MHD_stop_daemon(daemon);
	if (latest)
		MHD_destroy_response(latest);
	if (o.socket)
		unlink(o.socket);
	if (error)
		bad("cannot read standard input: %s", strerror(error));
	return 0;
}

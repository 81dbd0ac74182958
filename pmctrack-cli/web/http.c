// SPDX-License-Identifier: GPL-2.0
/* What both HTTP servers share: how they listen, take requests and answer. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http.h"

/* libmicrohttpd would do the same, but some of its versions lose errno on failure. */
static int listen_at(const struct sockaddr_in *address)
{
	int err, on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	/* A port that a server has just given back may be used again. */
	if (fd < 0 || (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) &&
		       !bind(fd, (const struct sockaddr *)address, sizeof(*address)) &&
		       !listen(fd, SOMAXCONN)))
		return fd;
	err = errno;
	close(fd);
	errno = err;
	return -1;
}

struct MHD_Daemon *http_start(const struct http_place *place, MHD_AccessHandlerCallback handle, void *of)
{
	struct MHD_OptionItem options[] = {
		{ MHD_OPTION_CONNECTION_LIMIT, HTTP_CONNECTIONS, NULL },
		{ MHD_OPTION_CONNECTION_TIMEOUT, place->timeout, NULL },
		{ MHD_OPTION_LISTEN_SOCKET, 0, NULL },
		{ MHD_OPTION_END, 0, NULL }
	};
	int fd = place->fd >= 0 ? place->fd : listen_at(&place->address);

	if (fd < 0)
		return NULL;
	options[2].value = fd;
	return MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO | place->flags, 0, NULL, NULL,
				handle, of, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

int http_is_whole(void **state, size_t *upload_size)
{
	static int seen;
	int first = !*state;

	*state = &seen;
	if (first)
		return 0;
	if (!*upload_size)
		return 1;
	*upload_size = 0;
	return 0;
}

void http_add_headers(struct MHD_Response *response)
{
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(response, "X-Frame-Options", "DENY");
}

enum MHD_Result http_answer(struct MHD_Connection *connection, unsigned int status,
			    struct MHD_Response *response)
{
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	http_add_headers(response);
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

enum MHD_Result http_answer_text(struct MHD_Connection *connection, unsigned int status, const char *text)
{
	return http_answer(connection, status, MHD_create_response_from_buffer(strlen(text), (void *)text,
		MHD_RESPMEM_PERSISTENT));
}

// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "genl.h"
#include "vm.h"

#define ATTRIBUTES_MAX	1024

/* No message is longer. */
#define MESSAGE_MAX	(1 << 14)

struct request {
	struct nlmsghdr n;
	struct genlmsghdr g;
	char attributes[ATTRIBUTES_MAX];
};

static int family;
static bool use_address;

/* Messages that have been received and not been read, of socket @of */
static struct {
	char bytes[1 << 17];
	struct nlmsghdr *next;
	int left, of;
} received;

void genl_use_address(void)
{
	use_address = true;
}

static void send_to(int fd, int type, int command, int flags, const void *attributes, size_t len)
{
	struct request r = {
		.n = { .nlmsg_len = NLMSG_LENGTH(sizeof(r.g)) + len, .nlmsg_type = type,
		       .nlmsg_flags = NLM_F_REQUEST | flags },
		.g = { .cmd = command, .version = 1 },
	};
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

	memcpy(r.attributes, attributes, len);
	if (sendto(fd, &r, r.n.nlmsg_len, 0, use_address ? (struct sockaddr *)&kernel : NULL,
		   use_address ? sizeof(kernel) : 0) < 0)
		fail("sending a request: %s", strerror(errno));
}

/* Return: the length with what comes before the next one. */
static size_t put(void *to, int type, const void *data, size_t len)
{
	struct nlattr attr = { .nla_len = NLA_HDRLEN + len, .nla_type = type };

	memcpy(to, &attr, sizeof(attr));
	memcpy((char *)to + NLA_HDRLEN, data, len);
	return NLA_ALIGN(attr.nla_len);
}

static const struct nlattr *attribute(const struct nlmsghdr *n, int type)
{
	const char *at = (const char *)NLMSG_DATA(n) + GENL_HDRLEN;
	const char *end = (const char *)n + n->nlmsg_len;
	const struct nlattr *attr;

	for (; at + NLA_HDRLEN <= end; at += NLA_ALIGN(attr->nla_len)) {
		attr = (const struct nlattr *)at;
		if ((attr->nla_type & NLA_TYPE_MASK) == type)
			return attr;
	}
	return NULL;
}

static const void *data_of(const struct nlattr *attr)
{
	return (const char *)attr + NLA_HDRLEN;
}

static void get(const struct nlmsghdr *n, int type, void *to, size_t size)
{
	const struct nlattr *attr = attribute(n, type);
	size_t len = attr ? attr->nla_len - NLA_HDRLEN : 0;

	if (attr)
		memcpy(to, data_of(attr), len < size ? len : size);
}

static void find_family(int fd)
{
	static char answer[8192];
	struct nlmsghdr *n = (struct nlmsghdr *)answer;
	char name[64];
	uint16_t id = 0;

	send_to(fd, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0, name,
		put(name, CTRL_ATTR_FAMILY_NAME, PMC_NL_FAMILY, sizeof(PMC_NL_FAMILY)));
	if (recv(fd, answer, sizeof(answer), 0) < 0)
		die("the answer about the family: %s", strerror(errno));
	if (n->nlmsg_type == NLMSG_ERROR)
		die("there is no family " PMC_NL_FAMILY);
	get(n, CTRL_ATTR_FAMILY_ID, &id, sizeof(id));
	family = id;
}

int genl_open(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);

	if (fd < 0)
		die("socket: %s", strerror(errno));
	/* A socket with the same number had messages that nobody has read. */
	if (received.of == fd)
		received.left = 0;
	if (!family)
		find_family(fd);
	return fd;
}

void genl_send(int fd, int command, int flags, const void *attributes, size_t len)
{
	send_to(fd, family, command, flags, attributes, len);
}

/*
 * Append a datagram. Without room for a whole one, those before it are forgotten. Return: its
 * first message; NULL: the socket was full.
 */
static struct nlmsghdr *receive(int fd)
{
	const char *limit = received.bytes + sizeof(received.bytes) - MESSAGE_MAX;
	char *end = (char *)received.next + received.left;
	ssize_t len;

	if (received.of != fd || received.left <= 0 || end > limit) {
		received.left = 0;
		end = received.bytes;
	}
	len = recv(fd, end, MESSAGE_MAX, 0);
	if (len < 0 && errno == ENOBUFS)
		return NULL;
	if (len < 0)
		die("receiving: %s", strerror(errno));
	if (!received.left)
		received.next = (struct nlmsghdr *)end;
	received.of = fd;
	received.left += len;
	return (struct nlmsghdr *)end;
}

/*
 * Sessions that count already, and even their records, may come before the answer. If these
 * fill the socket, the answer is lost. Return: false: so it was.
 */
static bool receive_answer(int fd, int *error)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	bool full = false;
	struct nlmsghdr *n;

	while (poll(&p, 1, full ? 0 : -1) > 0) {
		n = receive(fd);
		full |= !n;
		if (!n || n->nlmsg_type != NLMSG_ERROR)
			continue;
		received.left -= NLMSG_ALIGN(n->nlmsg_len);
		*error = ((struct nlmsgerr *)NLMSG_DATA(n))->error;
		return true;
	}
	return false;
}

int genl_listen(int fd, uint32_t session)
{
	char attributes[16];
	size_t len = session ? put(attributes, PMC_NL_A_SESSION, &session, sizeof(session)) : 0;
	int error;

	do
		genl_send(fd, PMC_NL_LISTEN, NLM_F_ACK, attributes, len);
	while (!receive_answer(fd, &error));
	return error;
}

void genl_ask_sessions(int fd)
{
	genl_send(fd, PMC_NL_SESSIONS, NLM_F_DUMP, NULL, 0);
}

static void read_message(struct message *m, const struct nlmsghdr *n)
{
	const struct nlattr *records = attribute(n, PMC_NL_A_RECORDS);

	memset(m, 0, offsetof(struct message, records));
	m->len = 0;
	if (n->nlmsg_type != family)
		return;
	m->command = ((struct genlmsghdr *)NLMSG_DATA(n))->cmd;
	get(n, PMC_NL_A_SESSION, &m->session, sizeof(m->session));
	get(n, PMC_NL_A_UID, &m->uid, sizeof(m->uid));
	get(n, PMC_NL_A_PID, &m->pid, sizeof(m->pid));
	get(n, PMC_NL_A_COMM, m->comm, sizeof(m->comm));
	get(n, PMC_NL_A_PERIOD, &m->period, sizeof(m->period));
	get(n, PMC_NL_A_LOST, &m->lost, sizeof(m->lost));
	get(n, PMC_NL_A_DESCRIPTION, m->description, sizeof(m->description));
	m->other_pids = attribute(n, PMC_NL_A_OTHER_PIDS);
	if (records) {
		m->len = records->nla_len - NLA_HDRLEN;
		memcpy(m->records, data_of(records), m->len);
	}
}

bool genl_next(int fd, struct message *m, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (received.of != fd || received.left <= 0) {
		/* That the socket was full is reported once. */
		do {
			if (poll(&p, 1, ms) <= 0)
				return false;
		} while (!receive(fd));
	}
	read_message(m, received.next);
	received.next = NLMSG_NEXT(received.next, received.left);
	return true;
}

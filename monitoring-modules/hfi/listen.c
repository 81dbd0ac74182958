// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's driver enables hardware feedback while a program listens to thermal
 * events. So this file listens, as a client like any other: the registers stay the
 * driver's. The events are thrown away, as the tables have the same values. (Linux
 * 6.1 has it enabled always.)
 */
#include <linux/net.h>
#include <linux/thermal.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <net/netlink.h>
#include <net/sock.h>
#include <uapi/linux/genetlink.h>

#include "listen.h"

#define ANSWER_SIZE	4096
/* More than there is room for. */
#define MOST_EVENTS	1000

static struct socket *listener;

static int ask_for_family(const char *name)
{
	struct {
		struct nlmsghdr nl;
		struct genlmsghdr genl;
		struct nlattr attr;
		char name[GENL_NAMSIZ];
	} q = {
		.nl = {
			.nlmsg_len = sizeof(q),
			.nlmsg_type = GENL_ID_CTRL,
			.nlmsg_flags = NLM_F_REQUEST,
		},
		.genl = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
		.attr = {
			.nla_len = NLA_HDRLEN + GENL_NAMSIZ,
			.nla_type = CTRL_ATTR_FAMILY_NAME,
		},
	};
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct msghdr msg = { .msg_name = &kernel, .msg_namelen = sizeof(kernel) };
	struct kvec vec = { .iov_base = &q, .iov_len = sizeof(q) };
	int ret;

	strscpy(q.name, name, sizeof(q.name));
	ret = kernel_sendmsg(listener, &msg, &vec, 1, sizeof(q));
	return ret < 0 ? ret : 0;
}

static int receive(void *buffer, size_t size)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT };
	struct kvec vec = { .iov_base = buffer, .iov_len = size };

	return kernel_recvmsg(listener, &msg, &vec, 1, size, MSG_DONTWAIT);
}

static int group_in(const struct nlattr *groups, const char *name)
{
	const struct nlattr *group, *id, *group_name;
	int left;

	nla_for_each_nested(group, groups, left) {
		group_name = nla_find_nested(group, CTRL_ATTR_MCAST_GRP_NAME);
		id = nla_find_nested(group, CTRL_ATTR_MCAST_GRP_ID);
		if (group_name && id && nla_len(id) == sizeof(u32) &&
		    !nla_strcmp(group_name, name))
			return nla_get_u32(id);
	}
	return -ENOENT;
}

/* The number of the group that thermal events are sent to, or an error. */
static int find_group(void)
{
	const struct nlattr *groups;
	struct nlmsghdr *answer;
	int ret;

	answer = kmalloc(ANSWER_SIZE, GFP_KERNEL);
	if (!answer)
		return -ENOMEM;
	ret = ask_for_family(THERMAL_GENL_FAMILY_NAME);
	if (ret)
		goto out;
	ret = receive(answer, ANSWER_SIZE);
	if (ret < 0)
		goto out;
	if (!nlmsg_ok(answer, ret) || answer->nlmsg_type != GENL_ID_CTRL) {
		ret = -ENOENT;
		goto out;
	}
	groups = nlmsg_find_attr(answer, GENL_HDRLEN, CTRL_ATTR_MCAST_GROUPS);
	ret = groups ? group_in(groups, THERMAL_GENL_EVENT_GROUP_NAME) : -ENOENT;
out:
	kfree(answer);
	return ret;
}

/**
 * hfi_listen - have the driver enable hardware feedback
 *
 * Context: Process.
 * Return: 0 or a negative error: there are no thermal events.
 */
int hfi_listen(void)
{
	int group, ret;

	ret = sock_create_kern(&init_net, AF_NETLINK, SOCK_RAW, NETLINK_GENERIC,
			       &listener);
	if (ret) {
		listener = NULL;
		return ret;
	}
	group = find_group();
	if (group >= 0)
		ret = listener->ops->setsockopt(listener, SOL_NETLINK,
						NETLINK_ADD_MEMBERSHIP,
						KERNEL_SOCKPTR(&group),
						sizeof(group));
	else
		ret = group;
	if (ret)
		hfi_listen_stop();
	return ret;
}

/**
 * hfi_listen_stop - the driver may disable it
 */
void hfi_listen_stop(void)
{
	if (listener)
		sock_release(listener);
	listener = NULL;
}

/**
 * hfi_listen_drain - make room for events to come
 */
void hfi_listen_drain(void)
{
	char some[16];
	int i;

	/* Each is read in part only. An overrun is an error, which is returned once. */
	for (i = 0; i < MOST_EVENTS; i++)
		if (receive(some, sizeof(some)) == -EAGAIN)
			break;
}

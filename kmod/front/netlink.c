// SPDX-License-Identifier: GPL-2.0
/* The generic netlink family "pmctrack": see uapi/pmctrack_netlink.h. */
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/netlink.h>
#include <linux/notifier.h>
#include <net/genetlink.h>
#include "front/listener_records.h"
#include "front/listeners.h"
#include "front/netlink.h"
#include "uapi/pmctrack_netlink.h"

static struct genl_family family;

static const struct nla_policy policy[PMC_NL_A_NR] = {
	[PMC_NL_A_SESSION] = { .type = NLA_U32 },
};

/* Sessions that count already. Return: whether the listener receives any of them. */
static bool begin_present(struct pmc_listener *l)
{
	struct pmc_relay *r;
	bool any = false;

	list_for_each_entry(r, &pmc_relays, link) {
		if (!pmc_relay_counts(r) || !pmc_listeners_greet(l, r))
			continue;
		pmc_relay_begin(r);
		any = true;
	}
	return any;
}

static int listen(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *attr = info->attrs[PMC_NL_A_SESSION];
	u32 session = attr ? nla_get_u32(attr) : 0;
	struct pmc_listener *l;
	int ret;

	mutex_lock(&pmc_relay_lock);
	l = pmc_listeners_add(skb, session, info->extack);
	ret = PTR_ERR_OR_ZERO(l);
	if (!ret && (begin_present(l) || !session)) {
		pmc_listeners_replace(l);
	} else if (!ret) {
		pmc_listeners_remove(l);
		NL_SET_ERR_MSG(info->extack,
			       "no session that you may read has this number and counts");
		ret = -ENOENT;
	}
	mutex_unlock(&pmc_relay_lock);
	return ret;
}

static int put_session(struct sk_buff *skb, const struct netlink_callback *cb,
		       const struct pmc_relay *r)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, &family,
				   NLM_F_MULTI, PMC_NL_BEGIN);

	if (!header)
		return -EMSGSIZE;
	if (pmc_listeners_put_session(skb, r)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/**
 * struct listing - a list of sessions that is being sent
 * @viewer: who asked. Another process that reads from the socket has the rest of it sent
 * @last: the session that the last message ended with
 */
struct listing {
	struct pmc_viewer viewer;
	u32 last;
};

static struct listing *listing_of(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct listing) > sizeof(cb->ctx));
	return (struct listing *)cb->ctx;
}

static int begin_list(struct netlink_callback *cb)
{
	pmc_viewer_init(&listing_of(cb)->viewer, cb->skb);
	return 0;
}

static int end_list(struct netlink_callback *cb)
{
	pmc_viewer_free(&listing_of(cb)->viewer);
	return 0;
}

static int list_sessions(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct listing *list = listing_of(cb);
	const struct pmc_relay *r;

	mutex_lock(&pmc_relay_lock);
	list_for_each_entry(r, &pmc_relays, link) {
		if (r->id <= list->last || !pmc_relay_counts(r) ||
		    !pmc_viewer_sees(&list->viewer, r))
			continue;
		if (put_session(skb, cb, r))
			break;
		list->last = r->id;
	}
	mutex_unlock(&pmc_relay_lock);
	return skb->len;
}

static const struct genl_ops ops[] = {
	{ .cmd = PMC_NL_SESSIONS, .start = begin_list, .dumpit = list_sessions, .done = end_list },
	{ .cmd = PMC_NL_LISTEN, .doit = listen },
};

static struct genl_family family = {
	.name = PMC_NL_FAMILY,
	.version = PMC_NL_VERSION,
	.maxattr = PMC_NL_A_NR - 1,
	.policy = policy,
	.module = THIS_MODULE,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.resv_start_op = PMC_NL_END + 1,
};

static int closed(struct notifier_block *block, unsigned long event, void *data)
{
	const struct netlink_notify *n = data;

	if (event != NETLINK_URELEASE || n->protocol != NETLINK_GENERIC ||
	    !net_eq(n->net, &init_net))
		return NOTIFY_DONE;
	mutex_lock(&pmc_relay_lock);
	pmc_listeners_remove_closed(n->portid);
	mutex_unlock(&pmc_relay_lock);
	return NOTIFY_DONE;
}

static struct notifier_block notifier = { .notifier_call = closed };

int pmc_netlink_init(void)
{
	int ret = pmc_relay_init();

	if (ret)
		return ret;
	ret = netlink_register_notifier(&notifier);
	if (ret)
		goto relay;
	pmc_listeners_init(&family);
	ret = genl_register_family(&family);
	if (!ret)
		return 0;
	netlink_unregister_notifier(&notifier);
relay:
	pmc_relay_exit();
	return ret;
}

void pmc_netlink_exit(void)
{
	genl_unregister_family(&family);
	netlink_unregister_notifier(&notifier);
	mutex_lock(&pmc_relay_lock);
	pmc_listeners_remove_all();
	mutex_unlock(&pmc_relay_lock);
	pmc_relay_exit();
}

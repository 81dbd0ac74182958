// SPDX-License-Identifier: GPL-2.0
/*
 * Sockets that are sent sessions and their records. A listener sees what its user could
 * read: see uapi/pmctrack_netlink.h. Each socket is sent messages of its own, so that one that
 * is full loses only its own, and is sent how many.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/net.h>
#include <linux/netlink.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include <net/sock.h>
#include "front/listener_records.h"
#include "front/listeners.h"
#include "session/session.h"
#include "session/session_description.h"
#include "uapi/pmctrack_netlink.h"

/* Without CAP_PERFMON: of all users, and of one */
#define LISTENERS_MAX		1024
#define LISTENERS_OF_USER	16

/**
 * struct pmc_listener - a socket that has asked for messages
 * @link: in the list of all, under pmc_relay_lock
 * @sk: the socket; its port may be another's once it is closed
 * @portid: its port
 * @viewer: what it may see
 * @session: the one asked for, 0: all
 * @lost: records that it has not received since the message before
 */
struct pmc_listener {
	struct list_head link;
	struct sock *sk;
	u32 portid;
	struct pmc_viewer viewer;
	u32 session;
	u64 lost;
};

static LIST_HEAD(listeners);
static unsigned int nr_listeners;
static u32 nr_ever;
static const struct genl_family *family;

/**
 * pmc_listeners_any - is there a listener
 *
 * Context: Any.
 */
bool pmc_listeners_any(void)
{
	return READ_ONCE(nr_listeners);
}

/**
 * pmc_listeners_ever - how many listeners there have been
 *
 * Context: Any.
 */
u32 pmc_listeners_ever(void)
{
	return READ_ONCE(nr_ever);
}

/*
 * Both who asks and who opened the socket need the right. netlink_capable() asks the caller
 * alone if the request has an address.
 */
static bool is_privileged(const struct sk_buff *request)
{
	const struct sock *sk = NETLINK_CB(request).sk;

	return sk_capable(sk, CAP_PERFMON) || sk_capable(sk, CAP_SYS_ADMIN);
}

/**
 * pmc_viewer_init - note who asks for sessions
 * @v: the viewer
 * @request: what the calling process has sent
 *
 * Context: Process context.
 */
void pmc_viewer_init(struct pmc_viewer *v, const struct sk_buff *request)
{
	const struct sock *sk = NETLINK_CB(request).sk;

	v->uid = sk->sk_uid;
	v->cred = get_cred(sk->sk_socket->file->f_cred);
	v->ns = get_pid_ns(task_active_pid_ns(current));
	v->privileged = is_privileged(request);
}

void pmc_viewer_free(struct pmc_viewer *v)
{
	put_pid_ns(v->ns);
	put_cred(v->cred);
}

/*
 * By ptrace's rules, as the session's thread could be counted by a session of the viewer's own:
 * see session/access.c.
 */
static bool may_look_into(const struct pmc_viewer *v, const struct pmc_owner *owner)
{
	const struct cred *cred = owner->cred;

	return uid_eq(cred->uid, v->uid) && uid_eq(cred->euid, v->uid) &&
	       uid_eq(cred->suid, v->uid) && gid_eq(cred->gid, v->cred->fsgid) &&
	       gid_eq(cred->egid, v->cred->fsgid) && gid_eq(cred->sgid, v->cred->fsgid) &&
	       cred->user_ns == v->cred->user_ns &&
	       cap_issubset(cred->cap_permitted, v->cred->cap_effective) && owner->dumpable;
}

/**
 * pmc_viewer_sees - may a viewer see a session
 * @v: the viewer
 * @r: the session
 *
 * Context: May sleep. pmc_relay_lock is held.
 */
bool pmc_viewer_sees(const struct pmc_viewer *v, const struct pmc_relay *r)
{
	const struct pmc_owner *owner = &r->s->owner;

	return v->privileged ||
	       (may_look_into(v, owner) && owner->ns == v->ns && !owner->privileged);
}

static bool wants(const struct pmc_listener *l, const struct pmc_relay *r)
{
	return (!l->session || l->session == r->id) && pmc_viewer_sees(&l->viewer, r);
}

/**
 * pmc_listeners_want - is there a listener that has asked for a session and may see it
 * @r: the session
 *
 * Context: May sleep. pmc_relay_lock is held.
 */
bool pmc_listeners_want(const struct pmc_relay *r)
{
	const struct pmc_listener *l;

	list_for_each_entry(l, &listeners, link)
		if (wants(l, r))
			return true;
	return false;
}

/**
 * pmc_listeners_put_session - add the attributes of a session to a message
 * @skb: the message
 * @r: the session
 *
 * Context: May sleep. pmc_relay_lock is held.
 * Return: 0 or -EMSGSIZE.
 */
int pmc_listeners_put_session(struct sk_buff *skb, const struct pmc_relay *r)
{
	/* Under pmc_relay_lock */
	static char description[PMC_DESCRIPTION_LEN];
	const struct pmc_session *s = r->s;

	pmc_session_get_description(s, description);
	return nla_put_u32(skb, PMC_NL_A_SESSION, r->id) ?:
	       nla_put_u32(skb, PMC_NL_A_UID,
			   from_kuid_munged(&init_user_ns, s->owner.cred->euid)) ?:
	       nla_put_u32(skb, PMC_NL_A_PID, r->pid) ?:
	       nla_put_string(skb, PMC_NL_A_COMM, r->comm) ?:
	       nla_put_u64_64bit(skb, PMC_NL_A_PERIOD, READ_ONCE(s->consumer.period),
				 PMC_NL_A_PAD) ?:
	       nla_put_string(skb, PMC_NL_A_DESCRIPTION, description);
}

/* A message with room for @len bytes of attributes, and what the listener has lost. */
static struct sk_buff *message(struct pmc_listener *l, enum pmc_nl_command command, size_t len,
			       void **header)
{
	struct sk_buff *skb = genlmsg_new(len + nla_total_size_64bit(sizeof(u64)), GFP_KERNEL);

	if (!skb)
		return NULL;
	*header = genlmsg_put(skb, 0, 0, family, 0, command);
	if (*header && !nla_put_u64_64bit(skb, PMC_NL_A_LOST, l->lost, PMC_NL_A_PAD))
		return skb;
	nlmsg_free(skb);
	return NULL;
}

/*
 * Into the queue of the socket itself: genlmsg_unicast() looks for one with the port, which may be
 * another user's as soon as the listener is being closed. The messages of a closed socket are freed
 * with it.
 */
static int deliver(struct sock *sk, struct sk_buff *skb)
{
	int ret;

	skb_reset_network_header(skb);
	skb_reset_mac_header(skb);
	ret = sock_flag(sk, SOCK_DEAD) ? -ECONNREFUSED : sock_queue_rcv_skb(sk, skb);
	if (ret)
		nlmsg_free(skb);
	return ret;
}

/* Return: 0 if the listener has the message. */
static int send(struct pmc_listener *l, struct sk_buff *skb, void *header)
{
	int ret;

	genlmsg_end(skb, header);
	ret = deliver(l->sk, skb);
	if (!ret)
		l->lost = 0;
	return ret;
}

static void send_session(struct pmc_listener *l, const struct pmc_relay *r)
{
	void *header;
	struct sk_buff *skb = message(l, PMC_NL_BEGIN, PMC_DESCRIPTION_LEN + 256, &header);

	if (skb && pmc_listeners_put_session(skb, r)) {
		nlmsg_free(skb);
		skb = NULL;
	}
	if (skb)
		send(l, skb, header);
}

bool pmc_listeners_begin(struct pmc_relay *r)
{
	struct pmc_listener *l;
	bool seen = false;

	r->generation = READ_ONCE(r->s->description.generation);
	list_for_each_entry(l, &listeners, link) {
		if (!wants(l, r))
			continue;
		send_session(l, r);
		seen = true;
	}
	return seen;
}

static int send_records(struct pmc_listener *l, const struct pmc_relay *r, const void *records,
			size_t len)
{
	void *header;
	struct sk_buff *skb = message(l, PMC_NL_RECORDS, nla_total_size(sizeof(u32)) +
				      nla_total_size(0) + nla_total_size(len), &header);

	if (!skb)
		return -ENOMEM;
	if (nla_put_u32(skb, PMC_NL_A_SESSION, r->id) ||
	    (r->s->owner.ns != l->viewer.ns && nla_put_flag(skb, PMC_NL_A_OTHER_PIDS)) ||
	    nla_put(skb, PMC_NL_A_RECORDS, len, records)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	return send(l, skb, header);
}

/**
 * pmc_listeners_records - send records of a session
 * @r: the session
 * @records: the records
 * @len: their bytes
 * @nr: their number
 * @lost: number of records before them that were written over
 *
 * Context: May sleep. pmc_relay_lock is held.
 */
void pmc_listeners_records(const struct pmc_relay *r, const void *records, size_t len,
			   u64 nr, u64 lost)
{
	struct pmc_listener *l;

	list_for_each_entry(l, &listeners, link) {
		if (!wants(l, r))
			continue;
		l->lost += lost;
		if (nr && send_records(l, r, records, len))
			l->lost += nr;
	}
}

void pmc_listeners_end(const struct pmc_relay *r)
{
	struct pmc_listener *l;
	struct sk_buff *skb;
	void *header;

	list_for_each_entry(l, &listeners, link) {
		if (!wants(l, r))
			continue;
		skb = message(l, PMC_NL_END, nla_total_size(sizeof(u32)), &header);
		if (!skb)
			continue;
		if (nla_put_u32(skb, PMC_NL_A_SESSION, r->id))
			nlmsg_free(skb);
		else
			send(l, skb, header);
	}
}

static void free_listener(struct pmc_listener *l)
{
	pmc_viewer_free(&l->viewer);
	sock_put(l->sk);
	kfree(l);
}

void pmc_listeners_remove(struct pmc_listener *l)
{
	list_del(&l->link);
	WRITE_ONCE(nr_listeners, nr_listeners - 1);
	free_listener(l);
}

/**
 * pmc_listeners_replace - remove the listener that a socket was before
 * @l: the one that it is now
 *
 * Context: May sleep. pmc_relay_lock is held.
 */
void pmc_listeners_replace(const struct pmc_listener *l)
{
	struct pmc_listener *other, *next;

	list_for_each_entry_safe(other, next, &listeners, link)
		if (other != l && other->sk == l->sk)
			pmc_listeners_remove(other);
}

/**
 * pmc_listeners_remove_closed - a socket has been closed
 * @portid: the port that it had, which may be another listener's by now
 *
 * Context: May sleep. pmc_relay_lock is held.
 */
void pmc_listeners_remove_closed(u32 portid)
{
	struct pmc_listener *l, *next;

	list_for_each_entry_safe(l, next, &listeners, link)
		if (l->portid == portid && sock_flag(l->sk, SOCK_DEAD))
			pmc_listeners_remove(l);
}

void pmc_listeners_remove_all(void)
{
	struct pmc_listener *l, *next;

	list_for_each_entry_safe(l, next, &listeners, link)
		pmc_listeners_remove(l);
}

/*
 * Those of privileged users do not count: others must not keep them from listening. @sk: the socket
 * that asks; a listener that it is already is replaced
 */
static bool too_many(kuid_t uid, const struct sock *sk)
{
	unsigned int all = 0, own = 0;
	struct pmc_listener *l;

	list_for_each_entry(l, &listeners, link) {
		if (l->sk == sk)
			continue;
		all += !l->viewer.privileged;
		own += !l->viewer.privileged && uid_eq(l->viewer.uid, uid);
	}
	return all >= LISTENERS_MAX || own >= LISTENERS_OF_USER;
}

/**
 * pmc_listeners_greet - send one listener a session that counts already
 * @l: the listener
 * @r: the session
 *
 * Context: May sleep. pmc_relay_lock is held.
 * Return: whether the listener is to have its records.
 */
bool pmc_listeners_greet(struct pmc_listener *l, const struct pmc_relay *r)
{
	if (!wants(l, r))
		return false;
	send_session(l, r);
	return true;
}

/**
 * pmc_listeners_add - send messages to a socket from now on
 * @request: what the calling process has sent by the socket; a listener that the socket is
 *	already stays: see pmc_listeners_replace()
 * @session: the session wanted, 0: all
 * @extack: says why not
 *
 * Context: Process context, pmc_relay_lock is held.
 * Return: the listener, or an ERR_PTR: -EUSERS or -ENOMEM.
 */
struct pmc_listener *pmc_listeners_add(const struct sk_buff *request, u32 session,
				       struct netlink_ext_ack *extack)
{
	struct sock *sk = NETLINK_CB(request).sk;
	struct pmc_listener *l;

	l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);
	if (!l)
		return ERR_PTR(-ENOMEM);
	sock_hold(sk);
	l->sk = sk;
	l->portid = NETLINK_CB(request).portid;
	l->session = session;
	pmc_viewer_init(&l->viewer, request);
	if (!l->viewer.privileged && too_many(l->viewer.uid, sk)) {
		NL_SET_ERR_MSG(extack,
			       "too many listeners: 16 for a user without CAP_PERFMON, 1024 for all");
		free_listener(l);
		return ERR_PTR(-EUSERS);
	}
	list_add_tail(&l->link, &listeners);
	WRITE_ONCE(nr_listeners, nr_listeners + 1);
	WRITE_ONCE(nr_ever, nr_ever + 1);
	return l;
}

void pmc_listeners_init(const struct genl_family *of)
{
	family = of;
}

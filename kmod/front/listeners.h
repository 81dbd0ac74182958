/* SPDX-License-Identifier: GPL-2.0 */
/* Sockets that are sent sessions and their records. All but the first two may sleep. */
#ifndef PMC_LISTENERS_H
#define PMC_LISTENERS_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct cred;
struct genl_family;
struct netlink_ext_ack;
struct pid_namespace;
struct pmc_listener;
struct pmc_relay;
struct sk_buff;
struct sock;

/**
 * struct pmc_viewer - what a socket may see, as of when it asked
 * @uid: user who opened it
 * @cred: credentials of the process that opened it
 * @ns: pid namespace of who asked
 * @privileged: all sessions: who asked has CAP_PERFMON, and who opened the socket had it
 */
struct pmc_viewer {
	kuid_t uid;
	const struct cred *cred;
	struct pid_namespace *ns;
	bool privileged;
};

#ifdef CONFIG_NET

bool pmc_listeners_any(void);
u32 pmc_listeners_ever(void);

/* Under pmc_relay_lock. The first two return whether a listener may see the session. */
bool pmc_listeners_want(const struct pmc_relay *r);
bool pmc_listeners_begin(struct pmc_relay *r);
void pmc_listeners_records(const struct pmc_relay *r, const void *records, size_t len,
			   u64 nr, u64 lost);
void pmc_listeners_end(const struct pmc_relay *r);

struct pmc_listener *pmc_listeners_add(const struct sk_buff *request, u32 session,
				       struct netlink_ext_ack *extack);
bool pmc_listeners_greet(struct pmc_listener *l, const struct pmc_relay *r);
void pmc_listeners_remove(struct pmc_listener *l);
void pmc_listeners_replace(const struct pmc_listener *l);
void pmc_listeners_remove_closed(u32 portid);
void pmc_listeners_remove_all(void);
int pmc_listeners_put_session(struct sk_buff *skb, const struct pmc_relay *r);
void pmc_listeners_init(const struct genl_family *family);

void pmc_viewer_init(struct pmc_viewer *v, const struct sk_buff *request);
void pmc_viewer_free(struct pmc_viewer *v);
bool pmc_viewer_sees(const struct pmc_viewer *v, const struct pmc_relay *r);

#else

static inline bool pmc_listeners_any(void)
{
	return false;
}

static inline u32 pmc_listeners_ever(void)
{
	return 0;
}

static inline bool pmc_listeners_want(const struct pmc_relay *r)
{
	return false;
}

static inline bool pmc_listeners_begin(struct pmc_relay *r)
{
	return false;
}

static inline void pmc_listeners_records(const struct pmc_relay *r, const void *records,
					 size_t len, u64 nr, u64 lost)
{
}

static inline void pmc_listeners_end(const struct pmc_relay *r)
{
}

#endif /* CONFIG_NET */

#endif /* PMC_LISTENERS_H */

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rates: PAPI_ipc() and the calls that belong to it.
 *
 * The first call starts counting and gives zeros; the next ones give what was counted since
 * the last call. Another kind of rate, or another event, starts anew.
 */
#include <pthread.h>
#include <stdbool.h>

#include "implicit_init.h"
#include "papi.h"
#include "rates.h"

enum kind { STOPPED, FLIPS, FLOPS, IPC, EPC };

/* The events of EPC; the last one is left out where a machine does not have it. */
enum { EVENT, CYCLES, REF_CYCLES, MAX_EVENTS };

struct request {
	enum kind kind;
	int events[MAX_EVENTS];
	int nr_events;
	long long values[MAX_EVENTS];
	float *real, *proc, *rate;
	long long *count;
};

static __thread struct {
	enum kind kind;
	int set;
	int event;
	long long real, proc;	/* microseconds, at the last call */
} rates;

/* Ends what the high level counts for the calling thread; NULL: it has not counted yet */
static int (*stop_high)(void);

void rates_stop_before(int (*stop)(void))
{
	__atomic_store_n(&stop_high, stop, __ATOMIC_RELEASE);
}

bool rates_running(void)
{
	return rates.kind != STOPPED;
}

static void end_set(void)
{
	PAPI_cleanup_eventset(rates.set);
	PAPI_destroy_eventset(&rates.set);
	rates.kind = STOPPED;
}

static int stop(void)
{
	int err = PAPI_stop(rates.set, NULL);

	end_set();
	return err;
}

/* A thread that ends without PAPI_rate_stop() leaves no EventSet. */
static pthread_key_t at_thread_end;

static void thread_ends(void *unused)
{
	(void)unused;
	if (rates_running())
		stop();
}

static void make_key(void)
{
	pthread_key_create(&at_thread_end, thread_ends);
}

static void note_thread(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_key);
	pthread_setspecific(at_thread_end, &rates);
}

static int make_set(const struct request *request)
{
	int i, err;

	rates.set = PAPI_NULL;
	err = PAPI_create_eventset(&rates.set);
	for (i = 0; !err && i < request->nr_events; i++)
		err = PAPI_add_event(rates.set, request->events[i]);
	return err;
}

static int start(const struct request *request)
{
	int err = make_set(request);

	*request->real = 0;
	*request->proc = 0;
	*request->rate = 0;
	*request->count = 0;
	rates.real = PAPI_get_real_usec();
	rates.proc = PAPI_get_virt_usec();
	if (!err)
		err = PAPI_start(rates.set);
	if (err) {
		if (rates.set != PAPI_NULL)
			end_set();
		return err;
	}
	note_thread();
	rates.kind = request->kind;
	rates.event = request->events[EVENT];
	return PAPI_OK;
}

/* Millions of operations a second of processor time, or events a cycle */
static float rate(const struct request *request, long long proc)
{
	bool per_cycle = request->kind == IPC || request->kind == EPC;
	long long divisor = per_cycle ? request->values[CYCLES] : proc;

	return divisor > 0 ? (float)request->values[EVENT] / divisor : 0;
}

static int measure(struct request *request)
{
	long long real, proc;
	int err = PAPI_stop(rates.set, request->values);

	if (err) {
		end_set();
		/* PAPI_shutdown() has ended the EventSet, or it was running in the parent. */
		return err == PAPI_ENOEVST || err == PAPI_ENOTRUN ? start(request) : err;
	}
	real = PAPI_get_real_usec();
	proc = PAPI_get_virt_usec();
	*request->real = (real - rates.real) * 1e-6;
	*request->proc = (proc - rates.proc) * 1e-6;
	*request->count = request->values[EVENT];
	*request->rate = rate(request, proc - rates.proc);
	rates.real = real;
	rates.proc = proc;
	err = PAPI_start(rates.set);
	if (err)
		end_set();
	return err;
}

/* The high level and the rates do not count at the same time, as in PAPI. */
static int get_ready(void)
{
	int (*stop_other)(void) = __atomic_load_n(&stop_high, __ATOMIC_ACQUIRE);
	int err = stop_other ? stop_other() : PAPI_OK;

	if (err)
		return err;
	return papi_implicit_init(false) ? PAPI_EINVAL : PAPI_OK;
}

static int check_events(struct request *request)
{
	int err = PAPI_OK;

	if (request->kind != IPC)
		err = PAPI_query_event(request->events[EVENT]);
	if (!err && request->kind == EPC && PAPI_query_event(request->events[REF_CYCLES]))
		request->nr_events--;
	return err;
}

static int run(struct request *request)
{
	int err;

	if (!request->real || !request->proc || !request->count || !request->rate)
		return PAPI_EINVAL;
	err = get_ready();
	if (!err)
		err = check_events(request);
	if (err)
		return err;
	if (rates.kind == request->kind && rates.event == request->events[EVENT])
		return measure(request);
	if (rates_running())
		stop();
	return start(request);
}

int PAPI_flips_rate(int event, float *rtime, float *ptime, long long *flpins, float *mflips)
{
	struct request request = { FLIPS, { event }, 1, { 0 }, rtime, ptime, mflips, flpins };

	if (event != PAPI_FP_INS && event != PAPI_VEC_SP && event != PAPI_VEC_DP)
		return PAPI_ENOEVNT;
	return run(&request);
}

int PAPI_flops_rate(int event, float *rtime, float *ptime, long long *flpops, float *mflops)
{
	struct request request = { FLOPS, { event }, 1, { 0 }, rtime, ptime, mflops, flpops };

	if (event != PAPI_FP_OPS && event != PAPI_SP_OPS && event != PAPI_DP_OPS)
		return PAPI_ENOEVNT;
	return run(&request);
}

int PAPI_ipc(float *rtime, float *ptime, long long *ins, float *ipc)
{
	struct request request = {
		IPC, { PAPI_TOT_INS, PAPI_TOT_CYC }, 2, { 0 }, rtime, ptime, ipc, ins
	};

	return run(&request);
}

int PAPI_epc(int event, float *rtime, float *ptime, long long *ref, long long *core,
	     long long *evt, float *epc)
{
	struct request request = {
		EPC, { event ? event : PAPI_TOT_INS, PAPI_TOT_CYC, PAPI_REF_CYC }, 3, { 0 },
		rtime, ptime, epc, evt
	};
	int err;

	if (!ref || !core)
		return PAPI_EINVAL;
	err = run(&request);
	*ref = request.values[REF_CYCLES];
	*core = request.values[CYCLES];
	return err;
}

int PAPI_rate_stop(void)
{
	return rates_running() ? stop() : PAPI_ENOEVNT;
}

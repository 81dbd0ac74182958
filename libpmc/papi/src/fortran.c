// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The Fortran interface, PAPIF_*: each call of papi.h whose arguments are numbers, as a
 * subroutine with the result in its last argument.
 */
#include "fortran.h"

/* The library */

FORTRAN(papif_library_init, PAPIF_LIBRARY_INIT, (int *check))
{
	*check = PAPI_library_init(*check);
}

FORTRAN(papif_is_initialized, PAPIF_IS_INITIALIZED, (int *level))
{
	*level = PAPI_is_initialized();
}

FORTRAN(papif_shutdown, PAPIF_SHUTDOWN, (void))
{
	PAPI_shutdown();
}

FORTRAN(papif_set_debug, PAPIF_SET_DEBUG, (int *level, int *check))
{
	*check = PAPI_set_debug(*level);
}

FORTRAN(papif_lock, PAPIF_LOCK, (int *lock, int *check))
{
	*check = PAPI_lock(*lock);
}

FORTRAN(papif_unlock, PAPIF_unlock, (int *lock, int *check))
{
	*check = PAPI_unlock(*lock);
}

/* Threads */

FORTRAN(papif_thread_init, PAPIF_THREAD_INIT, (unsigned long (*id)(void), int *check))
{
	*check = PAPI_thread_init(id);
}

FORTRAN(papif_thread_id, PAPIF_THREAD_ID, (unsigned long *id))
{
	*id = PAPI_thread_id();
}

FORTRAN(papif_register_thread, PAPIF_REGISTER_THREAD, (int *check))
{
	*check = PAPI_register_thread();
}

FORTRAN(papif_unregister_thread, PAPIF_UNREGISTER_THREAD, (int *check))
{
	*check = PAPI_unregister_thread();
}

/* An old misspelling, which programs may have */
FORTRAN(papif_unregster_thread, PAPIF_UNREGSTER_THREAD, (int *check))
{
	*check = PAPI_unregister_thread();
}

/* EventSets */

FORTRAN(papif_create_eventset, PAPIF_CREATE_EVENTSET, (int *set, int *check))
{
	*check = PAPI_create_eventset(set);
}

FORTRAN(papif_assign_eventset_component, PAPIF_ASSIGN_EVENTSET_COMPONENT,
	(int *set, int *component, int *check))
{
	*check = PAPI_assign_eventset_component(*set, *component);
}

FORTRAN(papif_cleanup_eventset, PAPIF_CLEANUP_EVENTSET, (int *set, int *check))
{
	*check = PAPI_cleanup_eventset(*set);
}

FORTRAN(papif_destroy_eventset, PAPIF_DESTROY_EVENTSET, (int *set, int *check))
{
	*check = PAPI_destroy_eventset(set);
}

FORTRAN(papif_add_event, PAPIF_ADD_EVENT, (int *set, int *event, int *check))
{
	*check = PAPI_add_event(*set, *event);
}

FORTRAN(papif_add_events, PAPIF_ADD_EVENTS, (int *set, int *events, int *number, int *check))
{
	*check = PAPI_add_events(*set, events, *number);
}

FORTRAN(papif_remove_event, PAPIF_REMOVE_EVENT, (int *set, int *event, int *check))
{
	*check = PAPI_remove_event(*set, *event);
}

FORTRAN(papif_remove_events, PAPIF_REMOVE_EVENTS,
	(int *set, int *events, int *number, int *check))
{
	*check = PAPI_remove_events(*set, events, *number);
}

FORTRAN(papif_list_events, PAPIF_LIST_EVENTS, (int *set, int *events, int *number, int *check))
{
	*check = PAPI_list_events(*set, events, number);
}

FORTRAN(papif_num_events, PAPIF_NUM_EVENTS, (int *set, int *count))
{
	*count = PAPI_num_events(*set);
}

FORTRAN(papif_query_event, PAPIF_QUERY_EVENT, (int *event, int *check))
{
	*check = PAPI_query_event(*event);
}

FORTRAN(papif_enum_event, PAPIF_ENUM_EVENT, (int *event, int *modifier, int *check))
{
	*check = PAPI_enum_event(event, *modifier);
}

FORTRAN(papif_multiplex_init, PAPIF_MULTIPLEX_INIT, (int *check))
{
	*check = PAPI_multiplex_init();
}

FORTRAN(papif_get_multiplex, PAPIF_GET_MULTIPLEX, (int *set, int *check))
{
	*check = PAPI_get_multiplex(*set);
}

FORTRAN(papif_set_multiplex, PAPIF_SET_MULTIPLEX, (int *set, int *check))
{
	*check = PAPI_set_multiplex(*set);
}

/* Counting */

FORTRAN(papif_start, PAPIF_START, (int *set, int *check))
{
	*check = PAPI_start(*set);
}

FORTRAN(papif_stop, PAPIF_STOP, (int *set, long long *values, int *check))
{
	*check = PAPI_stop(*set, values);
}

FORTRAN(papif_read, PAPIF_READ, (int *set, long long *values, int *check))
{
	*check = PAPI_read(*set, values);
}

FORTRAN(papif_read_ts, PAPIF_READ_TS,
	(int *set, long long *values, long long *cycles, int *check))
{
	*check = PAPI_read_ts(*set, values, cycles);
}

FORTRAN(papif_accum, PAPIF_ACCUM, (int *set, long long *values, int *check))
{
	*check = PAPI_accum(*set, values);
}

FORTRAN(papif_write, PAPIF_WRITE, (int *set, long long *values, int *check))
{
	*check = PAPI_write(*set, values);
}

FORTRAN(papif_reset, PAPIF_RESET, (int *set, int *check))
{
	*check = PAPI_reset(*set);
}

FORTRAN(papif_state, PAPIF_STATE, (int *set, int *status, int *check))
{
	*check = PAPI_state(*set, status);
}

/* Counters and clocks */

FORTRAN(papif_num_hwctrs, PAPIF_num_hwctrs, (int *number))
{
	*number = PAPI_num_hwctrs();
}

FORTRAN(papif_num_cmp_hwctrs, PAPIF_num_cmp_hwctrs, (int *component, int *number))
{
	*number = PAPI_num_cmp_hwctrs(*component);
}

FORTRAN(papif_get_real_cyc, PAPIF_GET_REAL_CYC, (long long *cycles))
{
	*cycles = PAPI_get_real_cyc();
}

FORTRAN(papif_get_real_usec, PAPIF_GET_REAL_USEC, (long long *time))
{
	*time = PAPI_get_real_usec();
}

FORTRAN(papif_get_real_nsec, PAPIF_GET_REAL_NSEC, (long long *time))
{
	*time = PAPI_get_real_nsec();
}

FORTRAN(papif_get_virt_cyc, PAPIF_GET_VIRT_CYC, (long long *cycles))
{
	*cycles = PAPI_get_virt_cyc();
}

FORTRAN(papif_get_virt_usec, PAPIF_GET_VIRT_USEC, (long long *time))
{
	*time = PAPI_get_virt_usec();
}

/* Rates */

FORTRAN(papif_ipc, PAPIF_IPC,
	(float *rtime, float *ptime, long long *ins, float *ipc, int *check))
{
	*check = PAPI_ipc(rtime, ptime, ins, ipc);
}

FORTRAN(papif_epc, PAPIF_EPC,
	(int *event, float *rtime, float *ptime, long long *ref, long long *core,
	 long long *evt, float *epc, int *check))
{
	*check = PAPI_epc(*event, rtime, ptime, ref, core, evt, epc);
}

FORTRAN(papif_flips_rate, PAPIF_FLIPS_RATE,
	(int *event, float *rtime, float *ptime, long long *flpins, float *mflips, int *check))
{
	*check = PAPI_flips_rate(*event, rtime, ptime, flpins, mflips);
}

FORTRAN(papif_flops_rate, PAPIF_FLOPS_RATE,
	(int *event, float *rtime, float *ptime, long long *flpops, float *mflops, int *check))
{
	*check = PAPI_flops_rate(*event, rtime, ptime, flpops, mflops);
}

FORTRAN(papif_rate_stop, PAPIF_RATE_STOP, (int *check))
{
	*check = PAPI_rate_stop();
}

FORTRAN(papif_hl_stop, PAPIF_HL_STOP, (int *check))
{
	*check = PAPI_hl_stop();
}

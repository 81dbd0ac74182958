/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ePAPI's calls under the names that PAPI gives them. */
#ifndef EPAPI_PAPI_H
#define EPAPI_PAPI_H

#include "epapi.h"

#define PAPI_start_counters	ePAPI_start_counters
#define PAPI_read_counters	ePAPI_read_counters
#define PAPI_accum_counters	ePAPI_accum_counters
#define PAPI_stop_counters	ePAPI_stop_counters
#define PAPI_num_counters	ePAPI_num_counters
#define PAPI_ipc		ePAPI_ipc
#define PAPI_epc		ePAPI_epc

#define PAPI_start		ePAPI_start
#define PAPI_read		ePAPI_read
#define PAPI_accum		ePAPI_accum
#define PAPI_stop		ePAPI_stop
#define PAPI_reset		ePAPI_reset
#define PAPI_create_eventset	ePAPI_create_eventset
#define PAPI_add_event		ePAPI_add_event
#define PAPI_add_events		ePAPI_add_events
#define PAPI_add_named_event	ePAPI_add_named_event
#define PAPI_remove_event	ePAPI_remove_event
#define PAPI_remove_events	ePAPI_remove_events
#define PAPI_remove_named_event	ePAPI_remove_named_event
#define PAPI_cleanup_eventset	ePAPI_cleanup_eventset
#define PAPI_event_name_to_code	ePAPI_event_name_to_code
#define PAPI_list_events	ePAPI_list_events
#define PAPI_num_events		ePAPI_num_events
#define PAPI_state		ePAPI_state

#define PAPI_library_init	ePAPI_library_init
#define PAPI_destroy_eventset	ePAPI_destroy_eventset

#endif /* EPAPI_PAPI_H */

# SPDX-License-Identifier: GPL-2.0
# Tests of the library's and the commands' pure parts, with the address and undefined
# behaviour sanitizers. info/ has descriptions of machines.

L_TESTS := test_lib_parse_events test_lib_machine test_lib_encode test_lib_tables test_lib_event_files test_lib_ring \
	test_lib_description test_lib_samples test_lib_session test_lib_virtual test_lib_caliper test_lib_caliper_values \
	test_lib_thread_session test_lib_regions \
	test_cli_options test_cli_report test_cli_perfetto test_cli_image test_cli_page test_cli_table test_cli_sums test_cli_plot test_cli_metrics test_cli_chart test_cli_output test_cli_sampling_loop test_cli_model test_cli_stat
L_TESTS += test_lib_accuracy test_lib_metric test_lib_plan test_lib_perf test_lib_perf_session test_lib_sysfs test_lib_user_page test_lib_listener test_lib_forks
L_ADDITIVITY_TESTS := test_cli_additivity test_cli_additivity_energy test_cli_additivity_runs
L_TESTS += test_cli_doctor test_cli_node test_cli_lu $(L_ADDITIVITY_TESTS) test_cli_energy test_cli_top test_cli_listen test_cli_openmetrics test_cli_remote test_cli_probe test_cli_probe_elf test_cli_web test_cli_write test_cli_pcp test_cli_recorded
L_LIBPMC := ../../libpmc
L_CLI := ../../pmctrack-cli

L_CFLAGS := $(CFLAGS) -Wall -Wextra -Wno-unused-parameter -Werror -std=gnu11 -D_GNU_SOURCE \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	-I$(L_LIBPMC)/include -I$(L_LIBPMC)/src -I$(L_CLI)/src \
	-DINFO_DIR='"$(abspath info)"' -MMD -MP $(PFM_CFLAGS) $(or $(NL_CFLAGS),-I/usr/include/libnl3)
L_LIBS := -fsanitize=address,undefined -lcmocka $(or $(PFM_LIBS),-lpfm) $(or $(NL_LIBS),-lnl-genl-3 -lnl-3) \
	$(or $(CURSES_LIBS),-lncursesw -ltinfo) -lpthread -lm
L_GSL_LIBS := $(or $(GSL_LIBS),-lgsl -lgslcblas)
L_JSON_LIBS := $(or $(JSON_LIBS),$(if $(wildcard /usr/include/json-c/json.h),-ljson-c))

L_LIB_OBJECTS := $(patsubst $(L_LIBPMC)/src/%,$(O)/libpmc/%.o, \
	$(wildcard $(L_LIBPMC)/src/*.[cS] $(L_LIBPMC)/src/tables/*.c))
L_CLI_OBJECTS := $(patsubst $(L_CLI)/src/%,$(O)/cli/%.o, \
	$(filter-out %/main.c %/pmc_events.c %/pmc_lu.c $(addprefix $(L_CLI)/src/,$(addsuffix /%,additivity epapi model plot workload)), \
	$(wildcard $(addprefix $(L_CLI)/src/,*.c */*.c))))

PROGRAMS += $(addprefix $(O)/,$(L_TESTS) test_lib_session_tsan)
comma := ,

$(O)/libpmc/%.o: $(L_LIBPMC)/src/%
	@mkdir -p $(dir $@)
	$(CC) $(L_CFLAGS) -c $< -o $@

$(O)/cli/page.c.o: L_CFLAGS += -Wa,-I$(L_CLI)/page
$(O)/cli/page.c.o: $(wildcard $(L_CLI)/page/*)

$(O)/cli/%.o: $(L_CLI)/src/%
	@mkdir -p $(dir $@)
	$(CC) $(L_CFLAGS) -DPMC_VERSION='"$(file <$(L_CLI)/../VERSION)"' -c $< -o $@

$(O)/lib/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(L_CFLAGS) -c $< -o $@

# tests/host/event_tables.sh runs it on tables that have to be built first.
$(O)/test_event_tables: $(O)/lib/test_event_tables.o $(L_LIB_OBJECTS)
	$(CC) -o $@ $^ $(L_LIBS)

$(addprefix $(O)/,$(filter-out test_lib_caliper%,$(filter test_lib_%,$(L_TESTS)))): \
		$(O)/%: $(O)/lib/%.o $(L_LIB_OBJECTS)
	$(CC) -o $@ $^ $(L_LIBS)

# This test simulates the counters.
$(O)/lib/%.o: %.S
	@mkdir -p $(dir $@)
	$(CC) $(L_CFLAGS) -c $< -o $@

$(O)/lib/caliper_x86_64.o: $(L_LIBPMC)/src/caliper_x86_64.S
	@mkdir -p $(dir $@)
	$(CC) $(L_CFLAGS) -DRDPMC='call fake_rdpmc' -c $< -o $@

$(addprefix $(O)/,test_lib_caliper test_lib_caliper_values): \
		$(O)/%: $(O)/lib/%.o $(addprefix $(O)/lib/,caliper_x86_64.o fake_rdpmc.o) \
		$(filter-out %/caliper_x86_64.S.o,$(L_LIB_OBJECTS))
	$(CC) -o $@ $^ $(L_LIBS)

$(addprefix $(O)/,$(filter-out test_cli_model $(L_ADDITIVITY_TESTS) test_cli_web test_cli_pcp,$(filter test_cli_%,$(L_TESTS)))): \
		$(O)/%: $(O)/lib/%.o $(L_CLI_OBJECTS) \
		$(L_LIB_OBJECTS)
	$(CC) -o $@ $^ $(L_LIBS)

$(O)/web/%.o: $(L_CLI)/web/%.c
	@mkdir -p $(dir $@)
	$(CC) $(L_CFLAGS) -c $< -o $@

$(O)/pcp/%.o: $(L_CLI)/pcp/%.c
	@mkdir -p $(dir $@)
	$(CC) $(L_CFLAGS) -c $< -o $@

$(O)/lib/test_cli_pcp.o: L_CFLAGS += -I$(L_CLI)/pcp
$(O)/test_cli_pcp: $(O)/lib/test_cli_pcp.o $(O)/pcp/parse_openmetrics.o
	$(CC) -o $@ $^ $(L_LIBS)

$(O)/lib/test_cli_web.o: L_CFLAGS += -I$(L_CLI)/web
$(O)/test_cli_web: $(O)/lib/test_cli_web.o $(O)/web/history.o
	$(CC) -o $@ $^ $(L_LIBS)

# These tests answer in place of the kernel module.
$(addprefix $(O)/,test_lib_thread_session test_lib_caliper_values): L_LIBS += $(addprefix -Wl$(comma)--wrap=,ioctl mmap)

$(O)/test_lib_accuracy $(O)/test_lib_user_page: L_LIBS += -Wl,--wrap=ioctl

# This test makes children while files are closed, limits pipes, and refuses to read.
$(O)/test_lib_perf_session: L_LIBS += $(addprefix -Wl$(comma)--wrap=,close fcntl read)

# In this test calls of libpfm4 take long.
$(O)/test_lib_forks: L_LIBS += $(addprefix -Wl$(comma)--wrap=,pfm_initialize pfm_get_pmu_info open)

$(O)/test_lib_listener: L_LIBS += $(addprefix -Wl$(comma)--wrap=,genl_connect genl_ctrl_resolve nl_send_auto \
	nl_recvmsgs_default nl_socket_modify_cb nl_socket_modify_err_cb nl_socket_set_nonblocking)

# This test replaces the calls on a session.
$(O)/test_cli_sampling_loop: L_LIBS += $(addprefix -Wl$(comma)--wrap=,kill poll \
	$(addprefix pmc_session_,command next_sized fd lost missed_threads throttled totals))

# This test replaces the samples of a session, perf's events, and the CPUs that it may run on.
$(O)/test_cli_node: L_LIBS += $(addprefix -Wl$(comma)--wrap=,pmc_session_command pmc_session_next_sized pmc_session_lost \
	sched_getaffinity syscall)

# These tests invent sessions and their samples.
$(O)/test_cli_top $(O)/test_cli_openmetrics: L_LIBS += $(addprefix -Wl$(comma)--wrap=,pmc_session_open pmc_session_next_sized)

$(O)/test_cli_listen: L_LIBS += $(addprefix -Wl$(comma)--wrap=pmc_listener_,open start list fd next_sized close)

$(O)/test_cli_energy: L_LIBS += -Wl,--wrap=nanosleep

# This test runs programs without counters, and does not wait.
$(O)/test_cli_additivity_runs: L_LIBS += $(addprefix -Wl$(comma)--wrap=,nanosleep poll \
	$(addprefix pmc_session_,open configure command next_sized totals accuracy close))

$(O)/test_cli_stat: L_LIBS += -Wl,--wrap=pmc_session_set_counts

# This test replaces the totals of a session.
$(O)/test_cli_sums: L_LIBS += $(addprefix -Wl$(comma)--wrap=,pmc_session_totals \
	pmc_session_totals_virtual)

# Calls on a session that threads may share, with the thread sanitizer
L_TSAN_OBJECTS := $(addprefix $(O)/tsan/lib/,test_lib_session.o \
	$(addprefix src/,session.o session_open.o kernel_session.o accuracy.o record.o samples.o ring.o forks.o sample_flags.o error.o thread_comm.o proc.o module_version.o))
L_TSAN_CFLAGS := $(filter-out -fno-sanitize%,$(subst address$(comma)undefined,thread,$(L_CFLAGS)))

$(O)/tsan/lib/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(L_TSAN_CFLAGS) -c $< -o $@

$(O)/tsan/lib/src/%.o: $(L_LIBPMC)/src/%.c
	@mkdir -p $(dir $@)
	$(CC) $(L_TSAN_CFLAGS) -c $< -o $@

$(O)/test_lib_session_tsan: $(L_TSAN_OBJECTS)
	$(CC) -fsanitize=thread -o $@ $^ -lcmocka -lpthread

# The shared library
PROGRAMS += $(O)/test_lib_shared

$(O)/shared/libpmctrack.so: FORCE
	$(MAKE) -C $(L_LIBPMC) O=$(O)/shared $@

.PHONY: FORCE

$(O)/test_lib_shared: test_lib_shared.c $(O)/shared/libpmctrack.so
	$(CC) $(filter-out -fsanitize% -fno-sanitize%,$(L_CFLAGS)) -DLIBRARY='"$(O)/shared/libpmctrack.so"' \
		-o $@ $< -lcmocka $(or $(PFM_LIBS),-lpfm) $(or $(NL_LIBS),-lnl-genl-3 -lnl-3) -ldl

# The parts of pmc-model
L_MODEL_OBJECTS := $(patsubst $(L_CLI)/src/model/%,$(O)/cli/model/%.o, \
	$(filter-out %/pmc_model.c,$(wildcard $(L_CLI)/src/model/*.c)))

$(O)/cli/model/%.o: $(L_CLI)/src/model/%
	@mkdir -p $(dir $@)
	$(CC) $(L_CFLAGS) -c $< -o $@

$(O)/test_cli_model: $(O)/lib/test_cli_model.o $(L_MODEL_OBJECTS) $(O)/cli/common.c.o
	$(CC) -o $@ $^ $(L_LIBS)

# The parts of pmc-additivity
L_ADDITIVITY_OBJECTS := $(patsubst $(L_CLI)/src/%,$(O)/cli/%.o, \
	$(filter-out %/pmc_additivity.c,$(wildcard $(L_CLI)/src/additivity/*.c)))

$(addprefix $(O)/,$(L_ADDITIVITY_TESTS)): $(O)/%: $(O)/lib/%.o $(L_ADDITIVITY_OBJECTS) $(L_CLI_OBJECTS) $(L_LIB_OBJECTS)
	$(CC) -o $@ $^ $(L_GSL_LIBS) $(L_LIBS)

# pmctrack-plot itself, which the test runs by the verb. Without json-c, the test is skipped.
L_PLOT_OBJECTS := $(patsubst $(L_CLI)/src/%,$(O)/cli/%.o,$(wildcard $(L_CLI)/src/plot/*.c))

$(O)/pmctrack-plot: $(L_PLOT_OBJECTS) $(L_CLI_OBJECTS) $(L_LIB_OBJECTS)
	$(CC) -o $@ $^ $(L_JSON_LIBS) $(L_LIBS)

$(O)/lib/test_cli_recorded.o: L_CFLAGS += -DPMCTRACK_PLOT='"$(O)/pmctrack-plot"'
$(O)/test_cli_recorded: | $(if $(L_JSON_LIBS),$(O)/pmctrack-plot)

# pmc-model itself, for the test that fits the shapes that are shipped. The kernel's part of
# that test is built like the module's tests.
$(O)/pmc-model: $(O)/cli/model/pmc_model.c.o $(L_MODEL_OBJECTS) $(O)/cli/common.c.o
	$(CC) -o $@ $^ $(L_LIBS)

PROGRAMS += $(O)/test_shapes

$(O)/asan/test_shapes.o: K_CFLAGS += -DTOP='"$(abspath ../..)"' -DPMC_MODEL='"$(O)/pmc-model"'

$(O)/test_shapes: $(O)/asan/test_shapes.o $(O)/asan/kmod.a | $(O)/pmc-model
	$(CC) $(asan_CFLAGS) -o $@ $^ $(K_LIBS) -lm

-include $(O)/web/history.d $(O)/pcp/parse_openmetrics.d $(O)/cli/model/pmc_model.c.d $(L_TSAN_OBJECTS:.o=.d) $(L_MODEL_OBJECTS:.o=.d) $(L_ADDITIVITY_OBJECTS:.o=.d) $(L_PLOT_OBJECTS:.o=.d) $(L_LIB_OBJECTS:.o=.d) $(L_CLI_OBJECTS:.o=.d)

# SPDX-License-Identifier: GPL-2.0
# Tests of libpmcpapi's own calls (pmcpapi.h), as far as they need no kernel, with the sanitizers
# of lib.mk, which has to be included before.

PM_PAPI := $(L_LIBPMC)/papi
PM_CFLAGS := $(L_CFLAGS) -I$(PM_PAPI)/include -I$(PM_PAPI)/src \
	-DPAPI_PRESETS_DIR='"/there/are/none"'
PM_TESTS := test_papi_assign test_papi_choose test_papi_multiplex test_papi_samples \
	test_papi_memory test_papi_names test_papi_eventset test_papi_counting \
	test_papi_overflow

PROGRAMS += $(addprefix $(O)/,$(PM_TESTS))

$(O)/papi_more/src/%.o: $(PM_PAPI)/src/%.c
	@mkdir -p $(dir $@)
	$(CC) $(PM_CFLAGS) -c $< -o $@

$(O)/papi_more/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(PM_CFLAGS) -c $< -o $@

# What each test needs of libpmcpapi
test_papi_assign_parts := assign
test_papi_choose_parts := assign choose_events
test_papi_multiplex_parts := multiplex_error multiplex_estimate
test_papi_samples_parts := count_samples
test_papi_memory_parts := arm_parts caches core_report core_types cpu_set cpuinfo errors hardware \
	kernel_file meminfo numa_memory pmu_names timers topology x86_cpuid
test_papi_counting_parts := count_events
test_papi_overflow_parts := histograms overflow_signal
test_papi_eventset_parts := errors eventset options overflow_events threads
test_papi_names_parts := components errors event_core_types events formula formula_infix \
	formula_word native pmu_names preset_csv preset_describe preset_names preset_table presets

PM_OBJECTS = $(addprefix $(O)/papi_more/,$1.o $(addprefix src/,$(addsuffix .o,$($1_parts))))

$(foreach test,$(PM_TESTS),$(eval $(O)/$(test): $(call PM_OBJECTS,$(test))))

$(addprefix $(O)/,$(PM_TESTS)):
	$(CC) -fsanitize=address,undefined -o $@ $^ -lcmocka -lpthread -lm

# The shared library
PROGRAMS += $(O)/test_papi_shared

$(O)/shared/papi/libpmcpapi.so: $(O)/shared/libpmctrack.so FORCE
	$(MAKE) -C $(PM_PAPI) O=$(O)/shared/papi LIBPMC=$(O)/shared $@

$(O)/test_papi_shared: test_papi_shared.c $(O)/shared/papi/libpmcpapi.so
	$(CC) $(filter-out -fsanitize% -fno-sanitize%,$(PM_CFLAGS)) \
		-DLIBPMCTRACK='"$(O)/shared/libpmctrack.so"' \
		-DLIBRARY='"$(O)/shared/papi/libpmcpapi.so"' -o $@ $< -lcmocka -lpthread -ldl

-include $(wildcard $(O)/papi_more/*.d $(O)/papi_more/src/*.d)

# SPDX-License-Identifier: GPL-2.0
# Tests of ePAPI: the TriCore firmware, compiled for this machine with registers
# that are simulated (tricore_sim.c), watched by the address and undefined
# behaviour sanitizers.

T_TESTS := test_tricore test_epapi test_epapi_counts test_epapi_tasks
T_EPAPI := ../../libpmc/tricore

T_CFLAGS := $(CFLAGS) -Wall -Wextra -Wno-unused-parameter -Werror -std=gnu11 -D_GNU_SOURCE \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	-I$(T_EPAPI)/include -I$(T_EPAPI)/src -I$(T_EPAPI)/shim -I$(KMOD) -MMD -MP
T_LIBS := -fsanitize=address,undefined -lcmocka -pthread

T_SOURCES := $(wildcard $(T_EPAPI)/src/*.c) $(KMOD)/pmu/tricore.c $(KMOD)/pmu/tricore_events.c
T_OBJECTS := $(addprefix $(O)/epapi/,$(notdir $(T_SOURCES:.c=.o))) $(O)/epapi/tricore_sim.o
vpath %.c $(T_EPAPI)/src $(KMOD)/pmu

PROGRAMS += $(addprefix $(O)/,$(T_TESTS))

$(O)/epapi/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(T_CFLAGS) -DEPAPI_PORT_SIMULATED -c $< -o $@

$(addprefix $(O)/,$(T_TESTS)): $(O)/%: $(O)/epapi/%.o $(T_OBJECTS)
	$(CC) -o $@ $^ $(T_LIBS)

-include $(wildcard $(O)/epapi/*.d)

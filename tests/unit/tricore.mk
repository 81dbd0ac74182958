# SPDX-License-Identifier: GPL-2.0
# Tests of ePAPI, the TriCore firmware, compiled for this machine with simulated registers
# (tricore_sim.c) and the address and undefined behaviour sanitizers; and of the command
# that reads its results.
#
# test_epapi is also built with the port's other branches: for the other chip, and for other
# compilers, whose built-in functions are replaced (compilers/). test_epapi_clock sets the
# options that the others do not change.

T_TESTS := test_tricore test_epapi test_epapi_counts test_epapi_tasks test_epapi_names \
	test_epapi_dump
T_PORTS := tasking hightec tc3xx
T_EPAPI := ../../libpmc/tricore
T_EXAMPLE := $(O)/epapi/papi_example.c

T_CFLAGS := $(CFLAGS) -Wall -Wextra -Wno-unused-parameter -Werror -std=gnu11 -D_GNU_SOURCE \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	-I. -I$(T_EPAPI)/include -I$(T_EPAPI)/src -Ishim -I$(KMOD) \
	-I$(L_CLI)/src -I$(L_LIBPMC)/src -I$(L_LIBPMC)/include -MMD -MP $(T_EXTRA_FLAGS)
T_LIBS := -fsanitize=address,undefined $(T_EXTRA_FLAGS) -lcmocka -pthread

epapi_CFLAGS := -DEPAPI_PORT_SIMULATED
tasking_CFLAGS := -include compilers/tasking.h
tc3xx_CFLAGS := -DEPAPI_PORT_SIMULATED -D__TC162__
clock_CFLAGS := -DEPAPI_PORT_SIMULATED -DEPAPI_CPU_HZ=100000000 -DEPAPI_MAX_SETS=2 \
	-DEPAPI_MAX_EVENTS=1
hightec_CFLAGS := -DEPAPI_PORT_INTRINSICS -Icompilers -Wno-attributes

T_SOURCES := $(wildcard $(T_EPAPI)/src/*.c) tricore_sim.c
t_objects = $(addprefix $(O)/$(1)/,$(notdir $(T_SOURCES:.c=.o)))
vpath %.c $(T_EPAPI)/src $(L_CLI)/src/epapi

PROGRAMS += $(addprefix $(O)/,$(T_TESTS) $(addprefix test_epapi_,$(T_PORTS) clock))

define t_build
$$(O)/$(1)/%.o: %.c
	@mkdir -p $$(dir $$@)
	$$(CC) $$(T_CFLAGS) $$($(1)_CFLAGS) -c $$< -o $$@

endef
$(foreach kind,epapi clock $(T_PORTS),$(eval $(call t_build,$(kind))))

$(addprefix $(O)/,$(T_TESTS)): $(O)/%: $(O)/epapi/%.o $(call t_objects,epapi)
	$(CC) -o $@ $^ $(T_LIBS) $(T_EXTRA_LIBS)

$(addprefix $(O)/test_epapi_,$(T_PORTS)): $(O)/test_epapi_%: $(O)/%/test_epapi.o
	$(CC) -o $@ $^ $(T_LIBS)

$(O)/test_epapi_clock: $(O)/clock/test_epapi_clock.o
	$(CC) -o $@ $^ $(T_LIBS)

$(foreach kind,clock $(T_PORTS),$(eval $(O)/test_epapi_$(kind): $(call t_objects,$(kind))))

# The example as a program for PAPI.
$(T_EXAMPLE): $(T_EPAPI)/example/example.c
	@mkdir -p $(dir $@)
	sed 's/ePAPI/PAPI/g; s/epapi\.h/papi.h/; s/main(void)/example_main(void)/' $< >$@

$(O)/epapi/papi_example.o: $(T_EXAMPLE)
	$(CC) $(T_CFLAGS) -c $< -o $@

$(O)/test_epapi_names: $(O)/epapi/papi_example.o
$(O)/test_epapi_dump: $(addprefix $(O)/epapi/,dump.o formats.o) $(O)/cli/quote.c.o \
	$(L_LIB_OBJECTS)
$(O)/test_epapi_dump: T_EXTRA_LIBS := $(L_LIBS)

-include $(wildcard $(foreach kind,epapi clock $(T_PORTS),$(O)/$(kind)/*.d))

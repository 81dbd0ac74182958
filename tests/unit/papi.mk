# SPDX-License-Identifier: GPL-2.0
# Tests of libpmcpapi's pure parts, with the sanitizers of lib.mk, which has to be included
# before.

P_TESTS := test_papi_hardware
P_PAPI := $(L_LIBPMC)/papi
P_CFLAGS := $(L_CFLAGS) -I$(P_PAPI)/include -I$(P_PAPI)/src

PROGRAMS += $(addprefix $(O)/,$(P_TESTS))

$(O)/papi/src/%.o: $(P_PAPI)/src/%.c
	@mkdir -p $(dir $@)
	$(CC) $(P_CFLAGS) -c $< -o $@

$(O)/papi/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(P_CFLAGS) -c $< -o $@

P_HARDWARE_OBJECTS := $(addprefix $(O)/papi/,test_papi_hardware.o $(addprefix src/,arm_parts.o \
	caches.o core_types.o cpuinfo.o cpu_set.o devices.o dmem.o errors.o executable.o hardware.o \
	kernel_file.o timers.o topology.o x86_cpuid.o))

$(O)/test_papi_hardware: $(P_HARDWARE_OBJECTS)
	$(CC) -fsanitize=address,undefined -o $@ $^ -lcmocka -lpthread

-include $(P_HARDWARE_OBJECTS:.o=.d)

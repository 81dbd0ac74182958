# SPDX-License-Identifier: GPL-2.0
# Test of PAPI's high level and rates (libpmc/papi) on a low level that is part of the test,
# with the address and undefined behaviour sanitizers. To be included after lib.mk.

PH_PAPI := ../../libpmc/papi
PH_SOURCES := $(addprefix $(PH_PAPI)/src/,high.c high_events.c high_json.c high_messages.c \
	high_output.c high_regions.c implicit_init.c rates.c)
PH_OBJECTS := $(patsubst $(PH_PAPI)/src/%.c,$(O)/papi_high/%.o,$(PH_SOURCES)) \
	$(O)/papi_high/test_papi_high.o
PH_CFLAGS := $(CFLAGS) -Wall -Wextra -Wno-unused-parameter -Werror -std=gnu11 -D_GNU_SOURCE \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	-I$(PH_PAPI)/include -I$(PH_PAPI)/src -MMD -MP

PROGRAMS += $(O)/test_papi_high

$(O)/papi_high/%.o: $(PH_PAPI)/src/%.c
	@mkdir -p $(dir $@)
	$(CC) $(PH_CFLAGS) -c $< -o $@

$(O)/papi_high/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(PH_CFLAGS) -c $< -o $@

$(O)/test_papi_high: $(PH_OBJECTS)
	$(CC) -o $@ $^ -fsanitize=address,undefined -lcmocka -pthread

-include $(wildcard $(O)/papi_high/*.d)

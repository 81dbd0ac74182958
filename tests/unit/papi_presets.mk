# SPDX-License-Identifier: GPL-2.0
# Tests of PAPI's presets: the reader of event files, formulas, names, and the tables of presets,
# with the address and undefined behaviour sanitizers of lib.mk, which has to be included before.

PRESETS_PAPI := $(L_LIBPMC)/papi
PRESETS_CFLAGS := $(L_CFLAGS) -I$(PRESETS_PAPI)/include -I$(PRESETS_PAPI)/src \
	-DPRESETS_DIR='"$(abspath $(PRESETS_PAPI)/presets)"'
PRESETS_OBJECTS := $(addprefix $(O)/papi_presets/,formula.o formula_infix.o formula_word.o \
	preset_csv.o preset_describe.o preset_names.o preset_table.o)

PROGRAMS += $(O)/test_papi_presets

$(O)/papi_presets/%.o: $(PRESETS_PAPI)/src/%.c
	@mkdir -p $(dir $@)
	$(CC) $(PRESETS_CFLAGS) -c $< -o $@

$(O)/papi_presets/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(PRESETS_CFLAGS) -c $< -o $@

$(O)/test_papi_presets: $(O)/papi_presets/test_papi_presets.o $(PRESETS_OBJECTS)
	$(CC) -o $@ $^ $(L_LIBS)

# tests/host/papi_presets.sh runs it on tables that have to be built first.
$(O)/test_papi_preset_rows: $(O)/papi_presets/test_papi_preset_rows.o $(PRESETS_OBJECTS) \
		$(L_LIB_OBJECTS)
	$(CC) -o $@ $^ $(L_LIBS)

-include $(wildcard $(O)/papi_presets/*.d)

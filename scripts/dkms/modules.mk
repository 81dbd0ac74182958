# SPDX-License-Identifier: GPL-2.0
# Prints the folder and the name of each module, as the Kbuild files have them:
#
#   make -s -f scripts/dkms/modules.mk CONFIG_X86_64=y      from the tree's top
#
# Modules for one architecture only are listed if its CONFIG_ is given.

PMCTRACK := kmod
include monitoring-modules/Kbuild
folders := kmod $(patsubst %/,monitoring-modules/%,$(obj-m))
modules :=

define add_folder
obj-m :=
src := $(1)
include $(1)/Kbuild
modules += $$(foreach object,$$(obj-m),$(1)/$$(object:.o=))
endef
$(foreach folder,$(folders),$(eval $(call add_folder,$(folder))))

.DEFAULT_GOAL := list
.PHONY: list
list:
	@printf '%s\n' $(foreach module,$(modules),'$(dir $(module)) $(notdir $(module))')

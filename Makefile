# SPDX-License-Identifier: GPL-2.0
# One entry point. Everything is built in and downloaded to a cache outside the
# tree ($PMCTRACK_CACHE, or ~/.cache/pmctrack); the work is done by scripts/.

prefix  ?= /usr/local
libdir  ?= $(prefix)/lib
KDIR    ?= /lib/modules/$(shell uname -r)/build

# $(call given,VARIABLE): from the command line alone. In the environment, HOST, ARCH and others
# are about something else.
given = $(if $(filter command,$(firstword $(origin $1))),$($1))
machine := $(or $(call given,ARCH),arm64-biglittle)
kernel := $(or $(call given,KERNEL),6.12)
tests := $(call given,TESTS)
failed := $(call given,FAILED)

.PHONY: all help kmod install uninstall run vm bench check check-full compile_commands clean
.PHONY: test test-unit test-quick test-full test-patched test-bare test-dkms test-debug test-mutants
.PHONY: firmware firmware-test firmware-install

all:
	@scripts/deps build
	@scripts/build native
	@if [ -e "$(KDIR)/Makefile" ]; then scripts/deps modules && scripts/build module-for "$(KDIR)"; \
	else echo "no kernel headers in $(KDIR): module not built" >&2; fi

help:
	@echo 'make                 build the library and the commands for this machine, and the'
	@echo '                     module too if there are headers for its kernel'
	@echo 'make kmod KDIR=DIR   build the module for the kernel whose headers are in DIR, and tell where'
	@echo '                     it is; for another architecture with ARCH=arm'
	@echo '                     CROSS_COMPILE=arm-linux-gnueabihf-'
	@echo 'make install         build and install; the modules with DKMS where it is installed'
	@echo '                     (DESTDIR, prefix, libdir, KDIR, DKMS=no, EVENTS=no; see docs/install.md)'
	@echo 'make uninstall       remove it'
	@echo 'make run             see it work: sample a real program in an emulated machine'
	@echo '                     with big and little cores; HOST=1: on this machine;'
	@echo '                     ARCH=x86-hybrid|x86-amd: on cores of Intel and AMD'
	@echo 'make vm              a shell in a test machine with everything installed'
	@echo '                     (ARCH=arm64-biglittle|arm64|x86-hybrid|x86-smt|x86-timed|x86-amd|x86-64'
	@echo '                     KERNEL=6.12|6.1|newest|VERSION-pmctrack)'
	@echo 'make test-unit       unit tests only; takes less than a minute'
	@echo 'make test-quick      the short tests, on one machine of each architecture; less than 4 minutes'
	@echo 'make test            each test in its home, each kernel, each machine; 12 to 25 minutes'
	@echo '                     For all of these: TESTS="PATTERN..." for some tests, FAILED=1 for those'
	@echo '                     that failed last time, SAME=1 to leave out what passed before with the'
	@echo '                     same inputs, LIST=1 to print their names (see tests/README.md)'
	@echo 'make test-full       every test on every machine with every kernel, with many rounds; hours'
	@echo 'make test-patched    the tests in test machines, on all kernels with the patches of'
	@echo '                     kernel-patches, of which `make test-full` has one; builds them first'
	@echo 'make test-dkms       `make install` with DKMS in bare Debians, 12 and 13, each with headers for'
	@echo '                     two kernels; takes root and some minutes'
	@echo 'make test-debug      the tests in test machines, on a kernel that looks for mistakes in'
	@echo '                     locking and memory; not part of `make test`: it takes long, and'
	@echo '                     builds that kernel first'
	@echo 'make test-bare       `make run` and `make test` in bare Debians, 12 and 13, as root and as a'
	@echo '                     user with sudo; takes root and some hours'
	@echo 'make test-mutants    put some 1100 faults into a copy of the source, one at a time: the tests'
	@echo '                     that are named with each have to notice; takes some hours;'
	@echo '                     MUTANTS="PATTERN..." for some of them (see tests/run-mutants --help)'
	@echo 'make bench           what counting costs, in instructions, and what schedulers gain by it;'
	@echo '                     and 1000 times modules that come and go while everybody is sampled'
	@echo 'make firmware        ePAPI for TriCore microcontrollers: library and example; needs a'
	@echo '                     compiler for them (CROSS=PREFIX if not tricore-elf-; options in'
	@echo '                     CFLAGS: libpmc/tricore/README.md)'
	@echo 'make firmware-test   run it in an emulator, and count what each call costs'
	@echo 'make firmware-install  install its library, headers and linker fragments (DESTDIR,'
	@echo '                     prefix)'
	@echo 'make check           style and static checks; a warning is a failure'
	@echo 'make check-full      the same from nothing, on each kernel, of which it builds one'
	@echo 'make compile_commands  write compile_commands.json, for clangd (modules: once they were built)'
	@echo 'make clean           remove what was built from this tree'
	@echo
	@echo 'The scripts behind these explain themselves: scripts/NAME --help'

kmod:
	@scripts/deps modules
	@scripts/build module-for "$(KDIR)" $(if $(call given,ARCH),"$(ARCH)" "$(CROSS_COMPILE)")

install:
	@scripts/install add "$(DESTDIR)" "$(prefix)" "$(libdir)" "$(KDIR)" "$(DKMS)" "$(EVENTS)"

uninstall:
	@scripts/install remove "$(DESTDIR)" "$(prefix)" "$(libdir)" "$(KDIR)"

run:
	@scripts/run-demo $(if $(call given,HOST),--host,--machine $(machine))

run_options = $(if $(failed),--failed) $(if $(call given,SAME),--same) $(if $(call given,LIST),--list) \
	$(foreach t,$(tests),'$(t)')

test-unit:
	@scripts/deps unit
	@tests/run $(run_options) $(if $(tests)$(failed),,'unit/*')

test-quick:
	@scripts/deps test
	@tests/run --quick $(run_options)

test:
	@scripts/deps $(if $(filter-out unit/%,$(or $(tests),all)),test,unit)
	@tests/run $(run_options)

test-full:
	@scripts/deps test bare
	@tests/run --full $(run_options)

test-patched:
	@scripts/deps test
	@tests/run --patched $(foreach t,$(tests),'$(t)')

test-bare:
	@scripts/deps bare
	@tests/bare $(foreach t,$(tests),'$(t)')

test-dkms:
	@scripts/deps bare
	@tests/dkms bookworm
	@tests/dkms trixie

test-debug:
	@scripts/deps test
	@tests/run --debug $(foreach t,$(tests),'$(t)')

test-mutants:
	@scripts/deps test
	@tests/run-mutants $(foreach m,$(call given,MUTANTS),'$(m)')

vm:
	@scripts/deps machine $(if $(filter %-pmctrack debug,$(kernel)),kernel)
	@scripts/vm --machine "$(machine)" --kernel "$(kernel)" --shell

# $(call bench_papi,MACHINE,CPUS,ARCH,RELEASE): the cost of PAPI's calls, beside Debian's PAPI of
# RELEASE if it can be fetched
papi_root = $(or $(PMCTRACK_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pmctrack)/papi/$(4)-$(3)
bench_papi = add=; why=$$(scripts/fetch papi $(3) $(4) 2>&1) && add='--add $(papi_root)'; \
	scripts/vm --machine $(1) --cpus $(2) --timeout 1800 $$add \
		/bench/run papi "'$$(echo "$$why" | tail -n 1 | tr -d \')'"

bench:
	@scripts/deps machine kernel
	@above=; for m in 'arm64 --cpus 1' 'x86-hybrid --cpus 2' 'x86-amd --cpus 1'; do \
		scripts/vm --machine $$m --timeout 1800 /bench/run cost || above=yes; \
	done; [ ! "$$above" ]
	@$(call bench_papi,arm64,1,arm64,bookworm)
	@$(call bench_papi,arm64-biglittle,2,arm64,bookworm)
	@# Debian 12's libpfm4 does not know Alder Lake.
	@$(call bench_papi,x86-hybrid,2,amd64,trixie)
	@$(call bench_papi,x86-amd,1,amd64,bookworm)
	@scripts/vm --machine x86-hybrid --cpus 2 --timeout 1800 /bench/run modules
	@scripts/vm --machine arm64 --cpus 1 --timeout 1800 /bench/run modules
	@scripts/vm --cpus 64 --memory 6G --timeout 1800 /bench/run many_threads 10000
	@scripts/vm --machine x86-hybrid --cpus 2 --memory 2G --timeout 1800 /bench/run top 2000
	@scripts/vm --machine x86-hybrid --timeout 3600 /bench/run module_reload 1000
	@scripts/vm --machine x86-timed --kernel newest --timeout 3600 /bench/run mix

check:
	@scripts/deps check
	@scripts/check

check-full:
	@scripts/deps check
	@scripts/check --full

compile_commands:
	@scripts/compile-commands "$(KDIR)"

firmware:
	@scripts/firmware build

firmware-test:
	@scripts/firmware test

firmware-install:
	@scripts/firmware install "$(DESTDIR)" "$(prefix)"

clean:
	@scripts/build clean

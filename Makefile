# Mazur. `make` builds bin/mazur and lib/libmazur.so, runnable in place; `make demo`, `make check` and
# `make test` first install what is missing (scripts/setup.sh). See CONTRIBUTING.md.
CC      ?= cc
PREFIX  ?= /usr/local
VERSION := 0.2.0
B       ?= build
BIN     ?= bin
LIB     ?= lib

# make V=1 shows the commands
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' $(1) $@)

WARN     := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CFLAGS   ?= -O2 -g
BASE_C   := -std=gnu11 $(WARN) -Isrc -Iinclude -DMAZUR_VERSION='"$(VERSION)"' -MMD -MP
# The runtime lives inside other people's processes: hidden symbols, no libc state, frame
# pointers for its own stack walks. The compiler's own calls to memory functions are redirected
# by rawmem.h; the files that define such functions must not be optimised into calling them.
RUN_C    := -D_GNU_SOURCE= -fPIC -fvisibility=hidden -fno-omit-frame-pointer -ftls-model=initial-exec \
            -fno-stack-protector -fcf-protection=none

# every source file below some folders of src
sources = $(sort $(shell find $(1:%=src/%) -name '*.c'))
# base and explore are part of both: the command and the library inside the program under test
COMMON_SRC  := $(call sources,base explore)
RUNTIME_SRC := $(call sources,runtime)
CLI_SRC     := $(call sources,host board debuginfo machine trace report promela selftest cli)
MPI_SRC     := $(call sources,mpi)
CLI_LIBS    := -ldw -lelf -lZydis -ljansson -lpthread -lm

COMMON_OBJ  := $(COMMON_SRC:%.c=$(B)/cli/%.o)
CLI_OBJ     := $(CLI_SRC:%.c=$(B)/cli/%.o) $(B)/cli/page.o
RUNTIME_OBJ := $(RUNTIME_SRC:%.c=$(B)/rt/%.o) $(COMMON_SRC:%.c=$(B)/rt/%.o)
UNIT_SRC    := $(wildcard tests/unit/test_*.c)
UNIT_BIN    := $(UNIT_SRC:tests/unit/%.c=$(B)/unit/%)
# helpers shared by unit tests (synthetic worlds, oracle)
UNIT_COMMON := $(filter-out $(UNIT_SRC),$(wildcard tests/unit/*.c))
UNIT_OBJ    := $(UNIT_COMMON:%.c=$(B)/cli/%.o)
# parts of the runtime that stand alone: an archive, so that a test links what it uses
UNIT_RUNTIME := $(wildcard src/runtime/memory/memory.c src/runtime/memory/heap*.c src/runtime/race/race*.c \
                           src/runtime/arch/trap_operands.c)
UNIT_RUNTIME_OBJ := $(UNIT_RUNTIME:%.c=$(B)/cli/%.o)

all: $(BIN)/mazur $(LIB)/libmazur.so
	@[ $(MAKELEVEL) != 0 ] || command -v mazur >/dev/null || \
	    echo 'built; to call it by name:  export PATH="$(abspath $(BIN)):$$PATH"   (or: make install)'

$(BIN)/mazur: $(CLI_OBJ) $(COMMON_OBJ)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(CLI_LIBS)

# --- Over ranks: `make mpi` builds bin/mazur-mpi with MPICC; it is not part of `all` ---

MPICC   ?= mpicc
MPI     ?= $(BIN)/mazur-mpi
MPI_OBJ := $(MPI_SRC:%.c=$(B)/$(notdir $(MPICC))/%.o)

mpi:
	@command -v $(MPICC) >/dev/null || { echo "make mpi: no $(MPICC): install mpich and libmpich-dev, or openmpi-bin and" \
	    "libopenmpi-dev (Debian), or name a compiler: make mpi MPICC=mpicc.mpich" >&2; exit 1; }
	@$(MAKE) --no-print-directory $(MPI)

$(MPI): $(MPI_OBJ) $(filter-out $(B)/cli/src/cli/main/main.o,$(CLI_OBJ)) $(COMMON_OBJ)
	@mkdir -p $(@D)
	$(call say,MPICC)
	$(Q)$(MPICC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(CLI_LIBS)

$(B)/$(notdir $(MPICC))/%.o: %.c
	@mkdir -p $(@D)
	$(call say,MPICC)
	$(Q)$(MPICC) $(BASE_C) $(CFLAGS) -c -o $@ $<

# With libm: the runtime forwards its functions, and `-lm` of a program is dropped by a linker that
# finds them all in the runtime.
$(LIB)/libmazur.so: $(RUNTIME_OBJ)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libmazur.so -Wl,-z,now -Wl,-z,defs -o $@ $^ \
	    -Wl,--no-as-needed -lm

# the trace page: readable sources, one C array
PAGE_SRC := $(filter-out %.c %.h,$(wildcard src/report/page/*))
$(B)/page.c: $(PAGE_SRC)
	@mkdir -p $(@D)
	$(call say,PAGE)
	$(Q)sh src/report/page/assemble.sh $@

$(B)/cli/page.o: $(B)/page.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE_C) $(CFLAGS) -c -o $@ $<

$(B)/cli/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE_C) $(CFLAGS) -Itests/unit -c -o $@ $<

$(B)/rt/src/runtime/memory/rawmem.o $(B)/rt/src/runtime/hooks/libc/string.o: RAWMEM := -fno-builtin -DRAWMEM_KEEP_NAMES

$(B)/rt/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE_C) $(CFLAGS) $(RUN_C) $(RAWMEM) -include src/runtime/memory/rawmem.h -c -o $@ $<

# It looks up names of its own variables, whatever CFLAGS says of debug information.
$(B)/unit/test_symbolise: UNIT_DEBUG := -g

$(B)/unit/%: tests/unit/%.c $(UNIT_OBJ) $(COMMON_OBJ) $(filter-out $(B)/cli/src/cli/main/main.o,$(CLI_OBJ)) $(B)/unit/libruntime.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE_C) $(CFLAGS) $(UNIT_DEBUG) $(LDFLAGS) -Itests/unit -o $@ $< $(filter %.o %.a,$^) -lcmocka $(CLI_LIBS)

$(B)/unit/libruntime.a: $(UNIT_RUNTIME_OBJ)
	@mkdir -p $(@D)
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

# UNIT_SKIP names tests that can't be run, e.g. test_heap, whose fixed addresses ASan needs
UNIT_RUN := $(filter-out $(UNIT_SKIP:%=$(B)/unit/%),$(UNIT_BIN))

unit: $(UNIT_RUN)
	@printf "%s\n" $(UNIT_RUN) | xargs -n 1 -P $(shell nproc) sh -c 'out=$$("$$0" 2>&1); rc=$$?; printf "== %s\n%s\n" "$$0" "$$out"; exit $$rc'

$(B)/jsonget: tests/programs/jsonget.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE_C) $(CFLAGS) -o $@ $< -ljansson

$(B)/fuzz_models: tests/fuzz/fuzz_models.c $(COMMON_OBJ) $(filter-out $(B)/cli/src/cli/main/main.o,$(CLI_OBJ))
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE_C) $(CFLAGS) -o $@ $< $(filter %.o %.a,$^) $(CLI_LIBS)

# --- What users type ---

setup:
	@sh scripts/setup.sh

demo: setup
	@$(MAKE) --no-print-directory -j$(shell nproc) all
	@sh scripts/demo.sh

# Before a commit, in a minute: unit tests, a pair of programs of each family, layers, format, lint.
check: setup
	@CC='$(CC)' bash scripts/test.sh --check

# Everything that must hold before a change lands; see scripts/test.sh for the parts.
test: setup
	@CC='$(CC)' bash scripts/test.sh

# The same without samples: every pair of programs with clang and with every interleaving, too.
test-all: setup
	@CC='$(CC)' bash scripts/test.sh --all

# Few descriptors, little address space, few processes, many mappings and modules (part of make test).
test-limits: setup
	@CC='$(CC)' bash scripts/test.sh --limits

# Any number of random programs: synthetic ones against the oracle, native ones with every strategy
# against each other: make fuzz PROGRAMS=1000000 NATIVE_PROGRAMS=10000
PROGRAMS ?= 100000
NATIVE_PROGRAMS ?= 1000
fuzz: setup
	@$(MAKE) --no-print-directory -j$(shell nproc) all
	bin/mazur selftest --programs $(PROGRAMS)
	tests/fuzz/native.sh $(NATIVE_PROGRAMS)
	KINDS=wide tests/fuzz/native.sh $(NATIVE_PROGRAMS)
	OPTIONS=--timeouts=any tests/fuzz/native.sh $(NATIVE_PROGRAMS)
	OPTIONS=--keep-going tests/fuzz/native.sh $(NATIVE_PROGRAMS)
	OPTIONS=--spurious-wakeups tests/fuzz/native.sh $(NATIVE_PROGRAMS)
	KINDS=memory tests/fuzz/outcomes.sh $(NATIVE_PROGRAMS)
	KINDS=locks tests/fuzz/outcomes.sh $(NATIVE_PROGRAMS)
	GENERATOR=random_events tests/fuzz/outcomes.sh $(NATIVE_PROGRAMS)
	GENERATOR=random_events OPTIONS="--races=explore --timeouts=any" tests/fuzz/outcomes.sh $(NATIVE_PROGRAMS)
	GENERATOR=random_events KINDS=conditions OPTIONS="--races=explore --spurious-wakeups" tests/fuzz/outcomes.sh $(NATIVE_PROGRAMS)
	GENERATOR=random_cxx tests/fuzz/outcomes.sh $(NATIVE_PROGRAMS)
	tests/fuzz/loops.sh $(NATIVE_PROGRAMS)
	tests/fuzz/checkpoints.sh $(NATIVE_PROGRAMS)
	KINDS=retry tests/fuzz/loops.sh $(NATIVE_PROGRAMS)
	ROUNDS=9 FILES=200 tests/fuzz/small.sh $(NATIVE_PROGRAMS)
	@$(MAKE) --no-print-directory fuzz-models

# The program pairs with every strategy in place of auto.
programs-strategies: setup
	tests/programs/strategies.sh

# A child that scribbles over the board, the parent under the sanitizers: make scribbles RUNS=500
RUNS ?= 500
scribbles: setup
	tests/cli/scribbles.sh $(RUNS)

# Mutated models under the sanitizers: make fuzz-models MUTANTS=1000000 SEED=7
MUTANTS ?= 100000
SEED ?= 1
fuzz-models: setup
	@$(MAKE) --no-print-directory B=build/sanitized CFLAGS="-O1 -g -fsanitize=address,undefined \
	    -fno-sanitize-recover=undefined" build/sanitized/fuzz_models
	ASAN_OPTIONS=detect_leaks=0 nice build/sanitized/fuzz_models $(MUTANTS) $(SEED) \
	    $(wildcard tests/models/*.pml tests/models/features/*.pml \
	    /usr/share/doc/spin/examples/Examples/*.pml /usr/share/doc/spin/examples/Examples/*/*.pml)
	tests/fuzz/bounds.sh 1000
	VALUES=ltl tests/fuzz/bounds.sh 1000

# Packaged programs and libraries under Mazur: installs them, writes docs/compatibility.md.
compat: setup
	@$(MAKE) --no-print-directory -j$(shell nproc) all
	@bash tests/real/run.sh --install --write

# Regenerates every figure that the documentation quotes.
bench: setup
	@$(MAKE) --no-print-directory -j$(shell nproc) all $(B)/jsonget
	@bash bench/run.sh

# --- Installing and packaging ---

# The runtime may lie in lib or, as a package has it, in lib/mazur: the command looks in both.
RUNTIME_DIR ?= $(PREFIX)/lib
SHARE       := $(DESTDIR)$(PREFIX)/share
PACKAGE     := $(DESTDIR)$(PREFIX)/lib/cmake/mazur
PKGCONFIG   := $(DESTDIR)$(PREFIX)/lib/pkgconfig

# Every installed file, once: its mode, its place, and the file or the command that makes it.
install: all
	@$(foreach row,$(INSTALLED),install -D -m $(word 1,$(subst :, ,$(row))) $(word 3,$(subst :, ,$(row))) \
	    $(word 2,$(subst :, ,$(row))) &&) true
	@install -d $(dir $(GENERATED))
	@sed -e 's|@PREFIX@|$(PREFIX)|; s|@RUNTIME_DIR@|$(RUNTIME_DIR)|; s|@VERSION@|$(VERSION)|' scripts/mazur.pc.in \
	    >$(PKGCONFIG)/mazur.pc
	@sed -e 's|@VERSION@|$(VERSION)|' cmake/mazur-config-version.cmake.in >$(PACKAGE)/mazur-config-version.cmake
	@$(BIN)/mazur help --bash >$(SHARE)/bash-completion/completions/mazur
	@$(BIN)/mazur help --zsh >$(SHARE)/zsh/site-functions/_mazur
	@$(BIN)/mazur help --fish >$(SHARE)/fish/vendor_completions.d/mazur.fish
	@echo "installed below $(DESTDIR)$(PREFIX); 'make uninstall' with the same PREFIX removes it"

install-mpi: mpi
	@install -D -m 755 $(MPI) $(DESTDIR)$(PREFIX)/bin/mazur-mpi
	@install -D -m 644 man/mazur-mpi.1 $(SHARE)/man/man1/mazur-mpi.1
	@install -D -m 644 scripts/mazur-mpi.bash $(SHARE)/bash-completion/completions/mazur-mpi

INSTALLED := \
    755:$(DESTDIR)$(PREFIX)/bin/mazur:$(BIN)/mazur \
    755:$(DESTDIR)$(RUNTIME_DIR)/libmazur.so:$(LIB)/libmazur.so \
    644:$(DESTDIR)$(PREFIX)/include/mazur.h:include/mazur.h \
    644:$(DESTDIR)$(PREFIX)/include/mazur/calls.h:include/mazur/calls.h \
    644:$(DESTDIR)$(PREFIX)/include/mazur/cxx/bits/c++config.h:include/mazur/cxx/bits/c++config.h \
    644:$(SHARE)/mazur/gdb/frames.py:src/gdb/frames.py \
    644:$(SHARE)/mazur/gdb/session.py:src/gdb/session.py \
    644:$(SHARE)/mazur/gdb/commands.py:src/gdb/commands.py \
    644:$(SHARE)/mazur/result.schema.json:docs/result.schema.json \
    755:$(SHARE)/mazur/ci/check.sh:ci/check.sh \
    644:$(SHARE)/man/man1/mazur.1:man/mazur.1 \
    644:$(SHARE)/man/man3/mazur.h.3:man/mazur.h.3 \
    644:$(PACKAGE)/mazur-config.cmake:cmake/mazur-config.cmake
GENERATED := $(PKGCONFIG)/mazur.pc $(PACKAGE)/mazur-config-version.cmake $(SHARE)/bash-completion/completions/mazur \
    $(SHARE)/zsh/site-functions/_mazur $(SHARE)/fish/vendor_completions.d/mazur.fish

uninstall:
	rm -f $(foreach row,$(INSTALLED),$(word 2,$(subst :, ,$(row)))) $(GENERATED) $(DESTDIR)$(PREFIX)/bin/mazur-mpi \
	    $(SHARE)/man/man1/mazur-mpi.1 $(SHARE)/bash-completion/completions/mazur-mpi
	-rmdir $(DESTDIR)$(PREFIX)/include/mazur/cxx/bits $(DESTDIR)$(PREFIX)/include/mazur/cxx \
	    $(DESTDIR)$(PREFIX)/include/mazur $(SHARE)/mazur/gdb $(SHARE)/mazur/ci $(SHARE)/mazur $(PACKAGE)

# The sources of this commit as build/mazur-VERSION.tar.gz.
dist:
	@mkdir -p $(B)
	git archive --prefix=mazur-$(VERSION)/ -o $(B)/mazur-$(VERSION).tar.gz HEAD

# The package on a fresh Debian, where the tutorial is typed as it is written. Needs root and debootstrap.
test-package: deb
	@bash tests/package.sh $(wildcard $(B)/deb/mazur_*.deb)

# Debian packages of this commit, in build/deb; debian/ says what goes where.
deb: setup dist
	@sh scripts/setup.sh packaging
	@bash scripts/deb.sh $(B)/mazur-$(VERSION).tar.gz $(B)/deb

clean:
	rm -rf $(B) bin lib

.PHONY: all mpi install-mpi unit setup demo check test test-all test-limits programs-strategies fuzz fuzz-models scribbles compat bench install uninstall dist deb test-package clean
# DEPENDENCIES= for who has removed what is stale (tests/mutants): reading two thousand files takes 0.3 s
DEPENDENCIES ?= $(shell find $(B) -name '*.d' 2>/dev/null)
-include $(DEPENDENCIES)

# keybench: build, tests, checks, benchmarks and the main job. Everything built goes under build/.
#
#   make               build/keybench
#   make table-13-1    the main job: the book's tables at full scale (make quick: at one fifth)
#   make check         all tests              make lint     all static checks
#   make bench         benchmarks             make install  to PREFIX (/usr/local), with DESTDIR
#   make V=1 ...       show each command      make SANITIZE=address,undefined ...  a sanitized build

CC = gcc
SANITIZE =
BUILD = build$(if $(SANITIZE),/$(firstword $(subst $(comma), ,$(SANITIZE))))
PREFIX = /usr/local
VERSION = 0.1.0
comma := ,
Q = $(if $(V),,@)

WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wvla -Wwrite-strings -Wcast-qual -Wformat=2 -Werror
OPTIMIZE = $(if $(SANITIZE),-O1,-O2)
CFLAGS = -g
KB_CFLAGS = -std=c11 -D_GNU_SOURCE -DKEYBENCH_VERSION='"$(VERSION)"' -include src/base/banned.h \
	$(WARNINGS) $(OPTIMIZE) $(CFLAGS) -pthread -Isrc -MMD -MP $(PKG_CFLAGS) $(SANITIZE_FLAGS)
SANITIZE_FLAGS = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)
KB_LIBS = $(SANITIZE_FLAGS) $(LDFLAGS) $(PKG_LIBS) -lmd -lm -pthread
# Asked once, and only when something is compiled: bootstrap may have to install pkg-config first.
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell pkg-config --cflags libpq libcjson))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $(shell pkg-config --libs libpq libcjson))$(PKG_LIBS)

SOURCES = $(wildcard src/*/*.c)
OBJECTS = $(SOURCES:src/%.c=$(BUILD)/obj/%.o)
LIBRARY = $(BUILD)/libkeybench.a
PROGRAM = $(BUILD)/keybench

UNIT_TESTS = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
DB_TESTS = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/db/test_*.c))
TEST_SUPPORT = $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/support/*.c))
FUZZERS = $(patsubst tests/fuzz/%.c,build/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

.DEFAULT_GOAL := all
.PHONY: all
all: $(PROGRAM)

# ---- The program ----

$(PROGRAM): $(BUILD)/obj/main.o $(LIBRARY)
	@echo "link  $@"
	$(Q)$(CC) -o $@ $^ $(KB_LIBS)

$(LIBRARY): $(OBJECTS)
	$(Q)rm -f $@
	$(Q)ar rcs $@ $^

$(BUILD)/obj/%.o: src/%.c Makefile | tools
	@mkdir -p $(@D)
	@echo "cc    $@"
	$(Q)$(CC) $(KB_CFLAGS) -c -o $@ $<

.PHONY: tools check-tools server
tools:
	@scripts/bootstrap tools
check-tools:
	@scripts/bootstrap check-tools
server: all
	@scripts/bootstrap server

# ---- The main job ----

.PHONY: table-13-1 quick
table-13-1 quick: server
	$(PROGRAM) run $(if $(filter quick,$@),table-13-1-quick,$@) --jobs $$(nproc)

# ---- Tests ----

$(BUILD)/tests/%.o: tests/%.c Makefile | tools
	@mkdir -p $(@D)
	$(Q)$(CC) $(KB_CFLAGS) -Itests -c -o $@ $<

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(TEST_SUPPORT) $(LIBRARY)
	@echo "link  $@"
	$(Q)$(CC) -o $@ $^ $(KB_LIBS)

build/fuzz/%: tests/fuzz/%.c $(SOURCES) Makefile | check-tools
	@mkdir -p $(@D)
	@echo "fuzz  $@"
	$(Q)clang $(filter-out -MMD -MP,$(KB_CFLAGS)) -Itests -fsanitize=fuzzer,address,undefined -o $@ $< $(SOURCES) $(KB_LIBS)

.PHONY: test-programs fuzzers
test-programs: $(UNIT_TESTS) $(DB_TESTS)
fuzzers: $(FUZZERS)
.SECONDARY:

# Everything is tested as a sanitized build; the unit tests once more under valgrind, which needs a plain one.
.PHONY: check check-matrix
check: check-tools server
	$(Q)$(MAKE) --no-print-directory all test-programs fuzzers
	$(Q)$(MAKE) --no-print-directory SANITIZE=address,undefined all test-programs
	$(Q)scripts/run-tests

check-matrix: server
	$(Q)scripts/check-matrix

# ---- Static checks ----

C_FILES = $(wildcard src/*.c src/*/*.[ch] tests/*/*.[ch])

.PHONY: lint fmt coverage
lint: check-tools
	$(Q)clang-format --dry-run --Werror $(C_FILES)
	$(Q)scripts/check-layers
	$(Q)scripts/check-docs
	$(Q)scripts/check-size
	$(Q)shellcheck -x $$(git ls-files scripts tests .ci | xargs grep -lE '^#!.*(bash|sh)$$')
	$(Q)$(MAKE) --no-print-directory CC=clang BUILD=build/clang all test-programs
	$(Q)cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
		--suppress=missingIncludeSystem --suppress=internalAstError -Isrc -j 2 src
	$(Q)printf '%s\n' $(SOURCES) | xargs -P 2 -I{} clang-tidy --quiet --warnings-as-errors='*' {} -- \
		$(filter-out -MMD -MP $(WARNINGS),$(KB_CFLAGS)) 2>/dev/null

fmt:
	clang-format -i $(C_FILES)

coverage: check-tools server
	scripts/coverage

# ---- Benchmarks ----

.PHONY: bench
bench: server
	$(Q)scripts/bench

# ---- Installation ----

DATA = $(DESTDIR)$(PREFIX)/share/keybench

.PHONY: install uninstall clean
install: all
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/keybench
	install -D -m 644 docs/keybench.1 $(DESTDIR)$(PREFIX)/share/man/man1/keybench.1
	set -e; for file in $$(find scenarios plots results/reference -type f); do install -D -m 644 $$file $(DATA)/$$file; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/keybench $(DESTDIR)$(PREFIX)/share/man/man1/keybench.1
	rm -rf $(DATA)

clean:
	rm -rf build

-include $(OBJECTS:.o=.d) $(BUILD)/obj/main.d $(UNIT_TESTS:=.d) $(DB_TESTS:=.d) $(TEST_SUPPORT:.o=.d)

# The common settings of the C programs here: a folder's Makefile sets PROGRAM, SOURCES, PACKAGES and LIBRARIES, then includes this.
# BUILDER is the target of the whole repository that builds it.
BUILDER ?= plugins
SUPPORT := $(dir $(lastword $(MAKEFILE_LIST)))
SUPPORT_SOURCES ?= $(wildcard $(SUPPORT)*.c)
ALL_SOURCES := $(SOURCES) $(SUPPORT_SOURCES)
OBJECTS := $(addprefix build/,$(notdir $(ALL_SOURCES:.c=.o)))
CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wvla
HARDENING := -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fPIE
CPPFLAGS += -I$(SUPPORT) $(if $(PACKAGES),$(shell pkg-config --cflags $(PACKAGES)))
LDLIBS := $(LIBRARIES) $(if $(PACKAGES),$(shell pkg-config --libs $(PACKAGES)))

$(PROGRAM): $(OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -pie -Wl,-z,relro,-z,now -o $@ $^ $(LDLIBS)

build/%.o: %.c | build
	$(CC) -std=c17 -D_GNU_SOURCE $(CPPFLAGS) $(CFLAGS) $(WARNINGS) $(HARDENING) -MMD -MP -c -o $@ $<

build:
	mkdir -p $@

ready:
	@test -x $(PROGRAM) || { echo "$(PROGRAM) is not built: make $(BUILDER)"; exit 1; }

clean:
	rm -rf build $(PROGRAM)

vpath %.c $(SUPPORT)
-include $(OBJECTS:.o=.d)
.PHONY: ready clean

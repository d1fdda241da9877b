# make demo      build, play a capture, print events
# make test      every test; the last line counts what passed, failed and was skipped
# make install   the program, its manual page, its unit for systemd and an example of its configuration (PREFIX,
#                default /usr/local)
# make bench     the table of figures in docs/figures.md, measured here and now
# make soak      a long scan of a day's traffic, pressed into MINUTES (default 60), in the virtual machine (root)
# make fuzz      fuzz every reader and decoder, SECONDS each (default 600)
# make manual    write the options and the output of commands in docs and skerry.1 anew, from what the program says now
# make goldens   write Captures/*.ndjson anew from what the program says now

PREFIX ?= /usr/local
UNITDIR ?= $(PREFIX)/lib/systemd/system
SYSCONFDIR ?= $(if $(filter /usr /usr/local,$(PREFIX)),/etc,$(PREFIX)/etc)
SECONDS ?= 600
MINUTES ?= 60
SKERRY = .build/release/skerry

.PHONY: build demo test install install-manual install-service bench soak fuzz manual goldens setup
.DEFAULT_GOAL := build

build: setup
	swift build -c release --static-swift-stdlib --product skerry

$(SKERRY):
	@$(MAKE) --no-print-directory build

setup:
	@Tests/setup build

demo: build
	$(SKERRY) replay --region walk=6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001 --events region,scanner,statistics Captures/walk.btsnoop

test:
	@Tests/setup test
	@Tests/run

# Not built anew as root, who may not even have Swift.
install: $(SKERRY)
	install -D -m 755 -s $(SKERRY) $(DESTDIR)$(PREFIX)/bin/skerry
	@$(MAKE) --no-print-directory install-manual install-service

install-manual:
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	sed 's|/usr/local/lib/systemd/system/|$(UNITDIR)/|; s|/etc/skerry.conf|$(SYSCONFDIR)/skerry.conf|' \
	    Sources/skerry/skerry.1 >$(DESTDIR)$(PREFIX)/share/man/man1/skerry.1
	chmod 644 $(DESTDIR)$(PREFIX)/share/man/man1/skerry.1

# What is there already is somebody's own.
install-service:
	[ -e $(DESTDIR)$(SYSCONFDIR)/skerry.conf ] || \
	    install -D -m 644 systemd/skerry.conf $(DESTDIR)$(SYSCONFDIR)/skerry.conf
	install -d $(DESTDIR)$(UNITDIR)/skerry.service.d
	cd systemd && for file in skerry.service skerry.service.d/*.example; do \
	    sed 's|/usr/local/bin/|$(PREFIX)/bin/|; s|/etc/skerry.conf|$(SYSCONFDIR)/skerry.conf|' $$file \
	        >$(DESTDIR)$(UNITDIR)/$$file && chmod 644 $(DESTDIR)$(UNITDIR)/$$file || exit 1; \
	done

bench: build
	@Tests/setup bench
	@Tests/Bench/run

soak: build
	@Tests/setup test
	@Tests/VM/soak $(MINUTES)

fuzz:
	@Tests/setup test
	@Tests/Fuzz/run --fast $(SECONDS)

manual:
	SKERRY_WRITE_MANUAL=1 swift test --disable-xctest --filter DocumentationTests

goldens: build
	Tests/EndToEnd/regenerate-goldens $(SKERRY)

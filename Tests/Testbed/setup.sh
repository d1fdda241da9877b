#!/bin/bash
# usage: setup.sh [--bumble]
# Installs what the testbed needs and builds its images.  Run it again freely:
# it does only what is missing.  TESTBED_CACHE names the folder for the results.
# --bumble also makes a Python environment with bumble (cache/venv).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${TESTBED_CACHE:-$HOME/.cache/ble-testbed}
mkdir -p "$cache"
need=()
for p in qemu-system-x86 bluez bluez-test-tools dbus busybox-static gcc libc6-dev; do
	dpkg -s "$p" 2>/dev/null | grep -q '^Status: install ok' || need+=("$p")
done
apt="apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0"
if [ ${#need[@]} -gt 0 ] || ! [ -s "$cache/initrd.cpio" ]; then
	$apt update >/dev/null
fi
if [ ${#need[@]} -gt 0 ]; then
	echo "setup: installing from Debian, for the virtual machine: ${need[*]}"
	DEBIAN_FRONTEND=noninteractive $apt install -y --no-install-recommends \
		"${need[@]}" >"$cache/apt.log" 2>&1 || { tail -20 "$cache/apt.log"; exit 1; }
fi
if ! [ -s "$cache/vmlinux" ] || ! [ -s "$cache/initrd.cpio" ] ||
	[ "$here/guest-init.sh" -nt "$cache/initrd.cpio" ] ||
	[ "$here/mkimage.py" -nt "$cache/initrd.cpio" ]; then
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	img=$(apt-cache depends linux-image-amd64 |
		sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -1)
	chmod 755 "$tmp"
	echo "setup: downloading a kernel for the virtual machine, not to install it: $img"
	(cd "$tmp" && $apt download "$img" 2>/dev/null)
	python3 "$here/mkimage.py" "$tmp"/linux-image-*.deb /bin/busybox "$cache"
fi
for t in hcisim hcirx; do
	if ! [ -x "$cache/$t" ] || [ "$here/$t.c" -nt "$cache/$t" ]; then
		cc -O2 -Wall -static -o "$cache/$t" "$here/$t.c" -lm
	fi
done
if [ "${1:-}" = --bumble ] && ! [ -x "$cache/venv/bin/bumble-controllers" ]; then
	python3 -m venv "$cache/venv"
	"$cache/venv/bin/pip" -q --disable-pip-version-check install bumble==0.0.236
fi
echo "testbed ready"

#!/bin/bash
# Checks the testbed itself: a few VM boots, about a minute. Run setup.sh first.
here=$(cd "$(dirname "$0")" && pwd)
cache=${TESTBED_CACHE:-$HOME/.cache/ble-testbed}
export TESTBED_CACHE=$cache
rx=$cache/hcirx
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
pass=0 fail=0
ok() { if eval "$2"; then pass=$((pass + 1)); echo "ok   $1"; else fail=$((fail + 1)); echo "FAIL $1"; sed 's/^/     | /' "$tmp/out"; fi; }
vm() { "$here/vmrun" "$@" >"$tmp/out" 2>&1; rc=$?; }
# reports on the Nth line of hcirx output
n() { sed -n "s/.*: \([0-9]*\) reports in.*/\1/p" "$tmp/out" | sed -n "${1}p"; }

vm -s "$here/demo.beacons" -- sh -c 'exit 42'
ok "exit code passes through" '[ $rc = 42 ]'

vm -s "$here/demo.beacons" -- sh -c "$rx -t 2; $rx -e -t 2; hciconfig hci0 down; $rx -u -e -t 2"
ok "RAW, legacy scan: about 30 reports of two beacons" '[ "$(n 1)" -ge 24 ] && [ "$(n 1)" -le 36 ]'
ok "RAW, extended scan: about 37 reports of three" '[ "$(n 2)" -ge 31 ] && [ "$(n 2)" -le 43 ]'
ok "USER channel, extended scan" '[ "$(n 3)" -ge 31 ]'

vm -s "$here/demo.beacons" --drop-to nobody -- "$rx" -t 1
ok "without capabilities: not permitted" 'grep -q "not permitted" "$tmp/out"'

vm -s "$here/demo.beacons" --drop-to nobody:net_raw -- "$rx" -t 1
ok "CAP_NET_RAW is enough for RAW" '[ "$(n 1)" -ge 8 ]'

vm -s "$here/demo.beacons" -a='--seq --rate 2000 --total 6000' -- "$rx" -e -s -t 5
ok "2000 reports/s, none lost" 'grep -q ": 6000 reports.*lost by number 0" "$tmp/out"'

cat >"$tmp/mon.sh" <<'M'
( sleep 0.5; echo "menu monitor"; sleep 0.2; echo "add-or-pattern 0 255 4c000215"
  sleep 2; echo back; echo quit ) | bluetoothctl
M
vm -s "$here/demo.beacons" --bluetoothd --btsnoop "$tmp/t.btsnoop" -- bash "$tmp/mon.sh"
ok "bluetoothd: advertisement monitor finds three" '[ "$(grep -c "found device" "$tmp/out")" -ge 3 ]'
ok "btsnoop recorded" '[ "$(head -c 7 "$tmp/t.btsnoop")" = btsnoop ]'

if [ -x "$cache/venv/bin/python" ]; then
	"$cache/venv/bin/python" "$here/bumble_beacons.py" -s "$here/demo.beacons" \
		--transport tcp-server:127.0.0.1:17001 2>"$tmp/bb" &
	bb=$!
	for i in $(seq 50); do grep -q ready "$tmp/bb" && break; sleep 0.1; done
	vm -c none --serial-hci 127.0.0.1:17001 -- "$rx" -e -t 2
	ok "bumble on this machine as the guest's controller" '[ "$(n 1)" -ge 31 ]'
	kill $bb
	wait $bb 2>/dev/null
fi
echo "testbed: $pass passed, $fail failed"
[ $fail = 0 ]

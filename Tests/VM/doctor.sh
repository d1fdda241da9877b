#!/bin/bash
# What doctor says of a machine in several states, and a recording of a scan.
. "$(dirname "$0")/cases.sh"

# doctor CASE [COMMAND that runs it]
doctor() {
    "${@:2}" "$skerry" doctor --format json >"$1.ndjson" 2>"$1.err"
    echo $? >"$1.status"
}

# As who may nothing.
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all "$@"; }

# rfkill 1|0: blocks all Bluetooth, or lifts that (struct rfkill_event: index, type, operation, soft, hard).
rfkill() { printf "\\0\\0\\0\\0\\2\\3\\$1\\0" >/dev/rfkill; }

doctor none
plug doctor
doctor well
doctor unprivileged nobody
hciconfig hci0 down
doctor down
doctor down-unprivileged nobody
rfkill 1
doctor blocked
rfkill 0
hciconfig hci0 up
btmon >/dev/null &
listener=$!
until_ 5 sh -c '[ $(wc -l </proc/net/hci) -ge 2 ]'
doctor watched
kill $listener
wait $listener
mkdir -p /run/dbus
[ -s /etc/machine-id ] || dbus-uuidgen --ensure=/etc/machine-id
dbus-daemon --system --fork
/usr/libexec/bluetooth/bluetoothd -n >bluetoothd.log 2>&1 &
daemon=$!
until_ 10 dbus-send --system --print-reply --dest=org.bluez /org/bluez/hci0 org.freedesktop.DBus.Properties.Get \
    string:org.bluez.Adapter1 string:Address
doctor bluetoothd nobody
kill $daemon
wait $daemon
unplug

plug record -s "$here/counted.beacons"
"$skerry" record --backend hci --events advertisement,scanner,error,statistics record.btsnoop \
    >record.ndjson 2>record.err </dev/null &
scanner=$!
told record 10 "$listening"
sleep 3
finish record
unplug
"$skerry" replay --events advertisement,scanner,statistics record.btsnoop >record-replayed.ndjson 2>record-replayed.err
echo $? >record-replayed.status
btmon -r record.btsnoop >record-replayed.hcisim
"$skerry" record --events start /nowhere/at/all >record-refused.ndjson 2>record-refused.err
echo $? >record-refused.status

#!/bin/bash
# What can happen to a scan, one case after the other; each begins with a controller of its own.
. "$(dirname "$0")/cases.sh"
air=$here/air.beacons

# begin CASE [arguments]: a controller, and a scan that hears.
begin() {
    plug "$1" -s "$air"
    scan "$@"
    told "$1" 10 "$heard" 5
}

end() { # CASE
    finish "$1"
    unplug
}

begin down-and-up
hciconfig hci0 down
told down-and-up 5 '"poweredOff"'
sleep 1
hciconfig hci0 up
told down-and-up 10 "$listening" 2
later down-and-up 10
end down-and-up

air=$here/failing.beacons begin hardware-error
told hardware-error 10 "$listening" 2
later hardware-error 10
end hardware-error

begin scan-stopped
hcitool cmd 0x08 0x0042 00 00 00 00 00 00 >/dev/null
told scan-stopped 10 "$listening" 2
later scan-stopped 10
end scan-stopped

begin stopped
kill -STOP $scanner
sleep 20
kill -CONT $scanner
told stopped 5 'could not run'
later stopped 10
end stopped

# Long enough for exit times to be learned, and then for an exit.
begin frozen
told frozen 10 "$heard" 60
kill -STOP $controller
told frozen 10 '"failed"'
sleep 5
kill -CONT $controller
told frozen 30 "$listening" 2
later frozen 10
end frozen

begin unplugged
unplug
told unplugged 5 '"state":"failed"'
sleep 1
plug unplugged -s "$air"
told unplugged 15 "$listening" 2
later unplugged 10
# The kernel switches off what nobody wanted two seconds after it came.
sleep 3
later unplugged 10
end unplugged

plug renumbered -s "$air"
scan renumbered --adapter 00:5E:00:53:02:01
told renumbered 10 "$heard" 5
"$hcisim" --vhci --addr 00:5E:00:53:02:02 2>other.hcisim &
other=$!
until_ 20 test -e /sys/class/bluetooth/hci1
unplug
"$hcisim" --vhci --addr 00:5E:00:53:02:03 2>other.hcisim &
third=$!
until_ 20 test -e /sys/class/bluetooth/hci0
"$hcisim" --vhci -s "$air" 2>>renumbered.hcisim &
controller=$!
until_ 20 test -e /sys/class/bluetooth/hci2
told renumbered 10 '"source":"hci2".*"listening"'
later renumbered 10
finish renumbered
kill $controller $other $third
wait $controller $other $third 2>/dev/null
until_ 5 test ! -e /sys/class/bluetooth/hci0

begin blocked
echo 1 >/sys/class/bluetooth/hci0/rfkill*/soft
told blocked 5 '"poweredOff".*rfkill'
echo 0 >/sys/class/bluetooth/hci0/rfkill*/soft
hciconfig hci0 up
told blocked 10 "$listening" 2
later blocked 10
end blocked

# The kernel switches off what nobody wanted two seconds after it came; and one that is off is switched on.
plug starts-off -s "$air"
hciconfig hci0 down
scan starts-off
told starts-off 10 "$heard" 5
sleep 3
later starts-off 10
end starts-off

begin killed
kill -KILL $scanner
wait $scanner 2>/dev/null
cp killed.ndjson before.ndjson
scan killed
# Some are heard of the scan that was left on, before its own.
told killed 10 "$heard" 30
end killed

begin pipe-closed
finish pipe-closed
timeout 10 bash -c '"$0" scan --events advertisement | head -n 5' "$skerry" >pipe-closed.out
echo $? >pipe-closed.status
unplug

plug no-privilege -s "$air"
only ""
"${as[@]}" timeout 10 "$skerry" scan >no-privilege.ndjson 2>no-privilege.err
echo $? >no-privilege.status
only net_raw
"${as[@]}" timeout 10 "$skerry" scan --exclusive >no-admin.ndjson 2>no-admin.err
echo $? >no-admin.status
scan net-raw-only
as=()
told net-raw-only 10 "$heard" 5
hciconfig hci0 down
told net-raw-only 5 '"poweredOff"'
hciconfig hci0 up
told net-raw-only 10 "$listening" 2
later net-raw-only 10
finish net-raw-only
unplug
cp no-privilege.hcisim net-raw-only.hcisim

scan no-adapter
told no-adapter 5 '"rangingUnavailable"'
plug no-adapter -s "$air"
told no-adapter 15 "$listening"
later no-adapter 10
end no-adapter

plug other-name -s "$air"
timeout 10 "$skerry" scan --backend hci --adapter hci7 >other-name.ndjson 2>other-name.err
echo $? >other-name.status
timeout 10 "$skerry" scan --backend hci --exclusive >busy.ndjson 2>busy.err
echo $? >busy.status
unplug

mkdir -p /run/dbus
rm -rf /var/lib/bluetooth/*
[ -s /etc/machine-id ] || dbus-uuidgen --ensure=/etc/machine-id
dbus-daemon --system --fork
bluetoothd=$(ls /usr/libexec/bluetooth/bluetoothd /usr/sbin/bluetoothd 2>/dev/null | head -n 1)
begin bluetoothd
for _ in 1 2; do
    "$bluetoothd" -n 2>>bluetoothd.log &
    daemon=$!
    until_ 10 dbus-send --system --print-reply --dest=org.bluez /org/bluez/hci0 \
        org.freedesktop.DBus.Properties.Get string:org.bluez.Adapter1 string:Address
    hciconfig hci0 up
    sleep 1
    later bluetoothd 10
    kill $daemon
    wait $daemon 2>/dev/null
done
hciconfig hci0 up
later bluetoothd 10
end bluetoothd

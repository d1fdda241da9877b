#!/bin/bash
# Through bluetoothd, as the user nobody without capabilities, with a controller that filters duplicates where it is asked to.
. "$(dirname "$0")/cases.sh"
air=$here/air.beacons
bluetoothd=$(ls /usr/libexec/bluetooth/bluetoothd /usr/sbin/bluetoothd 2>/dev/null | head -n 1)
mkdir -p /run/dbus
rm -rf /var/lib/bluetooth/*
[ -s /etc/machine-id ] || dbus-uuidgen --ensure=/etc/machine-id
dbus-daemon --system --fork
only

power() { # true or false
    dbus-send --system --print-reply --dest=org.bluez /org/bluez/hci0 org.freedesktop.DBus.Properties.Set \
        string:org.bluez.Adapter1 string:Powered "variant:boolean:$1" >/dev/null
}

# begin CASE [arguments of bluetoothd]: a controller, bluetoothd, and a scan.
begin() {
    plug "$1" -s "$air"
    start "$@"
    scan "$1" --backend bluez
}

start() {
    "$bluetoothd" -n "${@:2}" 2>>"$1.bluetoothd" &
    daemon=$!
    until_ 20 power true
}

stop() {
    kill "$daemon"
    wait "$daemon" 2>/dev/null
}

end() { # CASE
    finish "$1"
    stop
    unplug
}

begin with-monitors --experimental
told with-monitors 20 "$heard" 60
power false
told with-monitors 10 '"poweredOff"'
power true
told with-monitors 20 "$listening" 2
later with-monitors 20
stop
told with-monitors 10 '"failed"'
start with-monitors --experimental
told with-monitors 30 "$listening" 3
later with-monitors 20
end with-monitors

begin frozen --experimental
told frozen 20 "$heard" 60
kill -STOP $daemon
told frozen 12 '"failed"'
sleep 3
kill -CONT $daemon
told frozen 20 "$listening" 2
later frozen 20
end frozen

begin without-monitors
told without-monitors 40 "$heard" 6
end without-monitors

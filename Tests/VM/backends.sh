#!/bin/bash
# The same beacons through every channel, with controllers of several kinds.
. "$(dirname "$0")/cases.sh"
air=$here/counted.beacons

# counted CASE [arguments]: a scan until all adverts of the script are out; a busy machine takes its time. What comes in excess,
# or twice, has time to come.
counted() {
    scan "$@"
    told "$1" 30 "$listening"
    told "$1" 30 "$heard" $adverts
    sleep 0.6
    finish "$1"
}

adverts=100
both() { # CASE [hcisim arguments]: raw with the monitor channel beside it, then exclusive
    case=$1
    shift
    plug "$case-raw" -s "$air" "$@"
    scan "$case-monitor" --backend monitor
    listener=$scanner
    told "$case-monitor" 30 '"scanner"'
    counted "$case-raw"
    told "$case-monitor" 30 "$heard" $adverts
    finish "$case-monitor" $listener
    unplug
    cp "$case-raw.hcisim" "$case-monitor.hcisim"
    plug "$case-exclusive" -s "$air" "$@"
    hciconfig hci0 down
    counted "$case-exclusive" --exclusive
    unplug
}

both extended
both strict --strict
adverts=60 both legacy --no-ext
both batch --batch 5

#!/bin/bash
# Many adverts: the program takes them all, also while the reader of its output sleeps. For an optimised program.
. "$(dirname "$0")/cases.sh"

# run CASE RATE TOTAL: what begin_load started has heard all that was sent.
run() {
    plug "$1" -s "$here/air.beacons" --rate "$2" --total "$3"
    begin_load "$1"
    until_ $(($3 / $2 * 4)) grep -q 'sent all' "$1.hcisim"
    sleep 1
    finish "$1"
    unplug
}

begin_load() {
    "$skerry" scan --events region,statistics --region $region >"$1.ndjson" 2>"$1.err" &
    scanner=$!
}
run load 2000 40000

begin_load() {
    mkfifo /tmp/slow
    (sleep 8; cat >"$1.ndjson") </tmp/slow &
    "$skerry" scan --events advertisement,statistics >/tmp/slow 2>"$1.err" &
    scanner=$!
}
run slow-reader 2000 10000

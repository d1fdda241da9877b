#!/bin/bash
# What the program loses of 10,000 adverts a second, beside a bare reader in C, three pairs; and of 2,000 a second for a minute.
. "$(dirname "$0")/cases.sh"
hcirx=$(dirname "$hcisim")/hcirx
air="-s $here/air.beacons --rate 10000 --total 100000"

# heard_of AIR...: sets what the program has heard of all that was sent, and what it says was lost.
heard_of() {
    plug skerry "$@"
    "$skerry" scan --backend hci --events statistics >skerry.ndjson &
    scanner=$!
    until_ 100 grep -q 'sent all' skerry.hcisim
    sleep 1
    finish skerry
    unplug
    rm skerry.hcisim
    heard=$(sed -n 's/.*"reports":\([0-9]*\).*/\1/p' skerry.ndjson)
    lost=$(sed -n 's/.*"lost":\([0-9]*\).*/\1/p' skerry.ndjson)
}

for pair in 1 2 3; do
    plug c $air
    "$hcirx" -e -t 14 | sed -n 's/.*: \([0-9]*\) reports.*/\1/p' >c
    unplug
    heard_of $air
    echo "$pair 100000 $(cat c) $heard $lost"
done
heard_of -s "$here/air.beacons" --rate 2000 --total 120000
echo "minute 120000 - $heard $lost"

#!/bin/bash
# What the program loses of 10,000 adverts a second, beside a bare reader in C; three pairs.
. "$(dirname "$0")/cases.sh"
hcirx=$(dirname "$hcisim")/hcirx
air="-s $here/air.beacons --rate 10000 --total 100000"
for pair in 1 2 3; do
    plug c $air
    "$hcirx" -e -t 14 | sed -n 's/.*: \([0-9]*\) reports.*/\1/p' >c
    unplug
    plug skerry $air
    "$skerry" scan --events statistics >skerry.ndjson &
    scanner=$!
    until_ 40 grep -q 'sent all' skerry.hcisim
    sleep 1
    finish skerry
    unplug
    rm skerry.hcisim
    heard=$(sed -n 's/.*"reports":\([0-9]*\).*/\1/p' skerry.ndjson)
    lost=$(sed -n 's/.*"lost":\([0-9]*\).*/\1/p' skerry.ndjson)
    echo "$pair 100000 $(cat c) $heard $lost"
done

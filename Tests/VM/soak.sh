# A long scan of `Tests/VM/soak`, in the virtual machine: soak.sh PROGRAM HCISIM AIR CONFIG MINUTES
. "$(dirname "$0")/cases.sh"
plug soak -s "$3"
"$skerry" scan --config "$4" --events region,scanner,error,statistics >soak.ndjson 2>soak.err </dev/null &
scanner=$!
for minute in $(seq "$5"); do
    sleep 60
    sed -n 's/^\(VmRSS\|RssAnon\): *//p' /proc/$scanner/status | paste -s >>soak.memory
    awk -v minute="$minute" '{ print minute, $14 + $15 }' /proc/$scanner/stat >>soak.processor
done
finish soak
unplug

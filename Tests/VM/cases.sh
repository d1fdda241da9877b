# Sourced by the scripts that run in the virtual machine, with the paths of the program and of hcisim as arguments.
# Each case leaves in /run/job: CASE.ndjson (events), CASE.err, CASE.status, CASE.hcisim (the controller's log).
skerry=$1 hcisim=$2
here=$(cd "$(dirname "$0")" && pwd)
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
cd /run/job || exit 125
region=a=6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001

# until SECONDS COMMAND...: tries until it works.
until_() {
    tries=$(($1 * 20))
    shift
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.05
    done
}

# plug CASE [hcisim arguments]: a controller, switched on; its log belongs to the case.
plug() {
    "$hcisim" --vhci "${@:2}" 2>>"$1.hcisim" &
    controller=$!
    until_ 5 test -e /sys/class/bluetooth/hci0 || exit 125
    until_ 5 hciconfig hci0 up
}

unplug() {
    kill "$controller"
    wait "$controller" 2>/dev/null
    until_ 5 test ! -e /sys/class/bluetooth/hci0
}

# scan CASE [arguments]: begins a scan, with the privileges of `as`; over the kernel's HCI sockets unless the arguments say else.
as=()
scan() {
    name=$1
    local backend=(--backend hci)
    case " ${*:2} " in *" --backend "*) backend=() ;; esac
    "${as[@]}" "$skerry" scan "${backend[@]}" --events advertisement,region,scanner,error,statistics --region $region "${@:2}" \
        >"$name.ndjson" 2>"$name.err" </dev/null &
    scanner=$!
}

# told CASE SECONDS PATTERN [COUNT]: until so many lines of the events match.
told() { until_ "$2" sh -c "[ \$(grep -cE '$3' $1.ndjson) -ge ${4:-1} ]"; }
listening='"scanner".*"state":"listening"'
heard='"advertisement"'

# finish CASE [PID]: ends the scan as a service manager does.
finish() {
    kill -TERM "${2:-$scanner}"
    wait "${2:-$scanner}"
    echo $? >"$1.status"
}

# only CAPABILITIES: what the user nobody runs with these, or none, begins with.
only() {
    caps=-all${1:+,+$1}
    as=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --inh-caps="$caps" --ambient-caps="$caps"
        --bounding-set="$caps")
}

# later CASE N: N more adverts than now.
later() { told "$1" 5 "$heard" $(($(grep -c "$heard" "$1.ndjson") + $2)); }

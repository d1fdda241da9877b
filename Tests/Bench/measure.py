"""Measures and prints one Markdown table; `run` builds what it needs and calls it.

Times are processor seconds (user + system) of whole processes, or of the process itself in row 1, on one core. Two
things that are compared run in turn, in changing order, and the median of the ratios of the pairs is printed."""
import argparse
import datetime
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys

import generate

parser = argparse.ArgumentParser()
parser.add_argument('cache')
parser.add_argument('--quick', action='store_true')
parser.add_argument('--only', default='')
options = parser.parse_args()

SKERRY = os.path.join(options.cache, 'build/release/skerry')
REFERENCE = os.path.join(options.cache, 'reference')
IN_MEMORY = os.path.join(options.cache, 'in-memory')
PEAK = os.path.join(options.cache, 'peak')
ROUNDS = 5 if options.quick else 21
GROWTH_ROUNDS = 3 if options.quick else 7
LINES = ['--events', 'advertisement']


def note(text):
    print(text, file=sys.stderr, flush=True)


def capture(name, reports, *more):
    """The path of a generated capture; it is made where it is missing."""
    path = os.path.join(options.cache, name + '.btsnoop')
    if not os.path.exists(path):
        note(f'generating {name}')
        script = os.path.join(os.path.dirname(__file__), 'generate.py')
        subprocess.run([sys.executable, script, str(reports), path + '.part', *more], check=True)
        os.rename(path + '.part', path)
    return path


def small(): return capture('reports-200k', 200_000)
def large(): return capture('reports-2m', 2_000_000)
def large_ibeacons(): return capture('ibeacons-2m', 2_000_000, '--no-eddystone')


# Measuring


class Failed(Exception):
    pass


def cpu(command):
    """Processor seconds of a whole process, its output thrown away."""
    null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=null)
    _, status, usage = os.wait4(pid, 0)
    if status: raise Failed(reason(command))
    return usage.ru_utime + usage.ru_stime


def reason(command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return done.stderr.strip().split('\n')[-1] or f'exit code {done.returncode}'


def ratio(first, second, rounds=ROUNDS):
    """How many times the processor time of `second` that of `first` is: the median over pairs."""
    ratios = []
    for number in range(rounds + 1):
        if number % 2: a, b = cpu(first), cpu(second)
        else: b, a = cpu(second), cpu(first)
        if number: ratios.append(a / b)  # the first pair meets cold caches
    return statistics.median(ratios)


def peak(command):
    """VmHWM and the most anonymous memory, in MiB."""
    done = subprocess.run([PEAK, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode: raise Failed(done.stderr.strip() or 'peak failed')
    return [int(word) / 1024 for word in done.stdout.split()]


def replay(*words): return [SKERRY, 'replay', *words]


def region(number, one):
    uuid, major, minor, _ = one
    return f'r{number}', uuid.hex().upper(), major, minor


# Rows: what, figure, bar, whether it holds (None where there is no bar)


def decode_in_memory():
    done = subprocess.run([IN_MEMORY, large(), str(ROUNDS)], stdout=subprocess.PIPE, text=True, check=True)
    rounds = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    checked, bare, mine, replayed, sighting = (statistics.median(column) for column in zip(*rounds))
    note(f'1: ns a report: C {checked:.1f}, bare C {bare:.1f}, decoding {mine:.1f}, replay {replayed:.1f}')
    ratios = (statistics.median(ours) for ours in zip(*((a / c, b / c, b / d) for a, b, c, d, _ in rounds)))
    to_checked, to_bare, whole = ratios
    yield ('decode + table in memory, speed relative to C that checks what it reads', f'{to_checked:.2f}', '≥ 0.95',
           to_checked >= .95)
    yield 'the same, speed relative to bare C', f'{to_bare:.2f}', '–', None
    yield ('whole replay in memory, counts alone (clock, scan state, distinct addresses, all formats, malformed), '
           'speed relative to decode + table in bare C', f'{whole:.2f}', '–', None)
    note(f'1: {sighting:.1f} ns a sighting')
    yield ('level filter, zone and exit time of the adaptive profile: a sighting relative to decoding a report',
           f'{sighting / mine:.2f} ({sighting:.0f} ns)', '≤ 60 ns', sighting <= 60)


def lines_to_c():
    check_lines(small())
    value = ratio([REFERENCE, '-j', large_ibeacons()], replay(*LINES, large_ibeacons()))
    note(f'2: {value:.2f}')
    yield ('whole process, a line for each iBeacon, no other beacons on the air, speed relative to C',
           f'{value:.2f}', '≥ 0.8', value >= .8)
    value = ratio([REFERENCE, '-j', large()], replay(*LINES, large()))
    note(f'2: {value:.2f} with Eddystone')
    yield ('the same with Eddystone URLs, a sixth of the lines, which C leaves out', f'{value:.2f}', '–', None)


def check_lines(path):
    """Both must have written the same for every iBeacon."""
    def lines(command):
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
        found = [line for line in text.splitlines() if '"format":"ibeacon"' in line]
        return [re.sub(r'"seq":\d+,', '', line) for line in found]
    theirs, mine = lines([REFERENCE, '-j', path]), lines(replay(*LINES, path))
    for a, b in zip(theirs, mine):
        if a != b: sys.exit(f'not the same work:\nC       {a}\nSkerry  {b}')
    if len(theirs) != len(mine): sys.exit(f'not the same work: {len(theirs)} lines of C, {len(mine)} of Skerry')


def ranging():
    words = []
    for number, one in enumerate(generate.identities(200)[:10]):
        name, uuid, major, minor = region(number, one)
        words += ['--region', f'{name}={uuid}/{major}/{minor}']
    value = ratio(replay(*LINES, large()), replay('--events', 'advertisement,ranging,region', *words, large()))
    note(f'3: {value:.2f}')
    yield 'the same with ranging and ten regions, speed relative to lines alone', f'{value:.2f}', '≥ 0.5', value >= .5


TSHARK_FIELDS = ['frame.time_epoch', 'bthci_evt.bd_addr', 'bthci_evt.rssi', 'btcommon.eir_ad.entry.company_id',
                 'btcommon.eir_ad.entry.data']


def peers():
    fields = [word for field in TSHARK_FIELDS for word in ('-e', field)]
    for name, words in (('hcidump', ['-r']), ('tshark', ['-T', 'fields', *fields, '-r'])):
        what = f'whole process, 200,000 reports, times as fast as {name}'
        program = shutil.which(name)
        if not program:
            note(f'4: {name} is not installed')
            yield what, 'not installed', '≥ 100', None
            continue
        value = ratio([program, *words, small()], replay(*LINES, small()), 3)
        bare = ratio([program, *words, small()], [REFERENCE, '-j', small()], 3)
        note(f'4: {name} {value:.0f}, bare C {bare:.0f}')
        yield what + ' (the lines in bare C)', f'{value:.0f} ({bare:.0f})', '≥ 100', value >= 100


def memory():
    marks = {}
    for name, path in (('200,000', small()), ('2 million', large())):
        whole, anonymous = marks[name] = peak(replay(*LINES, path))
        note(f'5: {name} {whole:.1f} MiB, anonymous {anonymous:.1f} MiB')
        yield (f'peak memory, {name} reports (anonymous part)', f'{whole:.1f} MiB ({anonymous:.1f})',
               '≤ 14 MiB (4)', whole <= 14 and anonymous <= 4)
    (_, first), (_, second) = marks.values()
    yield 'anonymous memory, 2 million to 200,000 reports', f'{second / first:.2f}', 'flat', second / first < 1.1


def configuration(count):
    """A configuration with so many single beacons as regions: ten that are heard, others that never are."""
    path = os.path.join(options.cache, f'regions-{count}.conf')
    if not os.path.exists(path):
        everyone = generate.identities(200 + count)
        with open(path, 'w') as file:
            for number, one in enumerate(everyone[:10] + everyone[200:190 + count]):
                name, uuid, major, minor = region(number, one)
                file.write(f'[region {name}]\nuuid={uuid}\nmajor={major}\nminor={minor}\n')
    return path


def growth_by_regions():
    def command(count): return replay('--config', configuration(count), '--events', 'ranging,region')
    runs = {}
    for count in (10, 1_000, 100_000):
        try:
            cpu([*command(count), small()])
            runs[count] = []
        except Failed as failure:
            note(f'6: {count} regions: {failure}')
            yield f'processor time a report with {count:,} regions, relative to 10', 'refused', '–', None
    for _ in range(GROWTH_ROUNDS):
        for count in runs: runs[count].append((cpu([*command(count), small()]), cpu([*command(count), large()])))
    # What each region costs once, at the start and when it is found to be outside, is in both and falls out.
    costs = {count: statistics.median((b - a) / 1_800_000 for a, b in pairs) for count, pairs in runs.items()}
    for count, cost in costs.items():
        once = statistics.median(a for a, _ in runs[count]) - 200_000 * cost
        note(f'6: {count} regions: {cost * 1e9:.0f} ns a report, {once:.3f} s once')
        if count > 10:
            yield (f'processor time a report with {count:,} regions, relative to 10',
                   f'{cost / costs[10]:.2f} (and {once:.2f} s once)', '–', None)


def growth_by_identities():
    captures = {count: capture(f'identities-{count}', 2_000_000, '--identities', str(count), '--only-beacons', '--step', '5')
                for count in (1_000, 100_000, 1_000_000)}
    runs = {count: [] for count in captures}
    for _ in range(GROWTH_ROUNDS):
        for count, path in captures.items(): runs[count].append(cpu(replay('--events', 'ranging,region', path)))
    costs = {count: statistics.median(seconds) / 2_000_000 for count, seconds in runs.items()}
    for count, cost in costs.items():
        note(f'6: {count} identities: {cost * 1e9:.0f} ns a report')
        if count > 1_000:
            yield (f'processor time a report with {count:,} iBeacons present, relative to 1,000',
                   f'{cost / costs[1_000]:.1f}', '–', None)
    whole, anonymous = peak(replay('--events', 'ranging,region', captures[1_000_000]))
    note(f'6: {whole:.0f} MiB, anonymous {anonymous:.0f} MiB')
    yield ('peak memory with 1,000,000 iBeacons present, ranged and monitored', f'{whole * 1.048576:.0f} MB', '≤ 160 MB',
           whole * 1.048576 <= 160)


def growth_by_circles():
    done = subprocess.run([IN_MEMORY, 'circles', str(GROWTH_ROUNDS)], stdout=subprocess.PIPE, text=True, check=True)
    rounds = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    value = statistics.median(many / few for few, many, _ in rounds)
    few, many, once = (statistics.median(column) for column in zip(*rounds))
    note(f'6: circles: {few:.0f} ns a fix among 100, {many:.0f} ns among 100,000, {once:.3f} s once')
    yield ('processor time a fix with 100,000 circles, relative to 100',
           f'{value:.2f} (and {once:.2f} s once)', '–', None)


ROWS = {'1': [decode_in_memory], '2': [lines_to_c], '3': [ranging], '4': [peers], '5': [memory],
        '6': [growth_by_regions, growth_by_identities, growth_by_circles]}


# The table


def output_of(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        return ''
    return done.stdout


def version(text):
    found = re.search(r'\d+(\.\d+)+', text)
    return found.group() if found else '?'


def caption():
    with open('/proc/cpuinfo') as file:
        model = re.search(r'model name\s*: (.*)', file.read())
    parts = [model.group(1) if model else platform.machine(), f'Linux {version(platform.release())}',
             f'Swift {version(output_of("swiftc", "--version"))}', f'gcc {version(output_of("gcc", "-dumpfullversion"))}']
    if shutil.which('hcidump'): parts.append(f'hcidump {version(output_of("hcidump", "--version"))}')
    if shutil.which('tshark'): parts.append(f'tshark {version(output_of("tshark", "--version"))}')
    return f'Measured {datetime.date.today()} in one run on one core: ' + ', '.join(parts) + '.'


def main():
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    chosen = options.only.split(',') if options.only else [row for row in ROWS if not options.quick or row not in '46']
    for row in chosen:
        if row not in ROWS: sys.exit(f'no row {row}; there are {", ".join(ROWS)}')
    table = [entry for row in chosen for part in ROWS[row] for entry in part()]
    print('| what | measured | bar | holds |\n| --- | --- | --- | --- |')
    for what, figure, bar, holds in table:
        print(f'| {what} | {figure} | {bar} | {"–" if holds is None else "yes" if holds else "no"} |')
    print('\n' + caption())


main()

"""Prints rows of the table of figures for a live scan of a controller behind H4 on loopback: live.py PROGRAM HCISIM

No kernel Bluetooth and no privileges are needed. Waits of half a minute each: most of it sleeps."""
import json
import os
import random
import re
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM, HCISIM = sys.argv[1:]
AIR = os.path.join(os.path.dirname(__file__), '../VM/air.beacons')
UUID = bytes.fromhex('6F1C1B8E3D524B7A9C4051A2D6E0A001')


def row(what, measured, bar='–', holds='–'): print(f'| {what} | {measured} | {bar} | {holds} |', flush=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Scan:
    """A scan, and what the system knows of its process."""

    def __init__(self, port, events, output=subprocess.PIPE):
        command = [PROGRAM, 'scan', '--backend', f'h4:tcp:127.0.0.1:{port}', '--events', events]
        self.process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)

    def number(self, name):
        with open(f'/proc/{self.process.pid}/status') as status:
            return int(re.search(rf'^{name}:\s*(\d+)', status.read(), re.M).group(1))

    def processor(self):
        with open(f'/proc/{self.process.pid}/schedstat') as times: return int(times.read().split()[0]) / 1e9

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        text = self.process.communicate(timeout=30)[0]
        return json.loads(text.splitlines()[-1]) if text else None


class Controller:
    """A controller that answers every command with success and sends what it is told to."""

    def __init__(self):
        self.server = socket.create_server(('127.0.0.1', 0))
        self.port = self.server.getsockname()[1]

    def accept(self):
        """Serves a client until its scan is on."""
        self.client, _ = self.server.accept()
        self.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        held = b''
        while True:
            held += self.client.recv(4096)
            while len(held) >= 4 and len(held) >= 4 + held[3]:
                opcode, parameters = held[1:3], held[4:4 + held[3]]
                held = held[4 + held[3]:]
                features = bytes([0, 0x10, 0, 0, 0, 0, 0, 0]) if opcode == b'\x03\x20' else b''
                self.client.sendall(bytes([4, 0x0E, 4 + len(features), 1]) + opcode + b'\0' + features)
                if opcode == b'\x42\x20' and parameters[0] == 1: return

    def advertise(self, minor):
        data = bytes([2, 1, 6, 26, 0xFF, 0x4C, 0, 2, 21]) + UUID + bytes([0, 1, minor >> 8, minor & 255, 0xC5])
        head = bytes([0x13, 0, 1, 1, 2, 3, 4, 5, 0xC6, 1, 0, 0xFF, 0x7F, 0xC4]) + bytes(9)
        report = b'\x0D\x01' + head + bytes([len(data)]) + data
        self.client.sendall(bytes([4, 0x3E, len(report)]) + report)


def flood(seconds, *air):
    """What hcisim sends over TCP, what was counted, and the peak memory."""
    port = free_port()
    with tempfile.NamedTemporaryFile('r') as log:
        simulator = subprocess.Popen([HCISIM, '--tcp', str(port), '-s', AIR, *air], stderr=open(log.name, 'w'))
        time.sleep(0.3)
        scan = Scan(port, 'statistics')
        deadline = time.monotonic() + seconds * 4
        while 'sent all' not in open(log.name).read() and time.monotonic() < deadline: time.sleep(0.2)
        time.sleep(0.5)
        peak = scan.number('VmHWM')
        counts = scan.end()
        simulator.terminate()
        simulator.wait()
    return counts, peak


def latency(count):
    """Milliseconds from the controller's send to the line on the output."""
    controller = Controller()
    scan = Scan(controller.port, 'advertisement')
    controller.accept()
    delays = []
    for minor in range(count):
        time.sleep(random.uniform(0.002, 0.018))
        begin = time.monotonic()
        controller.advertise(minor & 0xFFFF)
        scan.process.stdout.readline()
        delays.append((time.monotonic() - begin) * 1e3)
    processor = scan.processor()
    scan.end()
    return sorted(delays), processor


def quiet(seconds):
    """Wake-ups a second while nothing is on the air."""
    controller = Controller()
    scan = Scan(controller.port, 'statistics')
    controller.accept()
    time.sleep(3)
    before, begin = scan.number('voluntary_ctxt_switches'), time.monotonic()
    end = begin + seconds
    controller.client.settimeout(0.2)
    while time.monotonic() < end:
        # A silence is asked after with commands, which are to be answered.
        try: held = controller.client.recv(4096)
        except TimeoutError: continue
        while len(held) >= 4:
            controller.client.sendall(bytes([4, 0x0E, 4, 1]) + held[1:3] + b'\0')
            held = held[4 + held[3]:]
    wakes = (scan.number('voluntary_ctxt_switches') - before) / (time.monotonic() - begin)
    scan.end()
    return wakes


counts, peak = flood(10, '--rate', '100000', '--total', '1000000')
row('100,000 adverts a second over TCP for 10 s, lost', f'{1_000_000 - counts["reports"]}', '0',
    'yes' if counts['reports'] == 1_000_000 else 'no')
counts, peak = flood(10, '--rate', '100000', '--total', '1000000', '--seq')
row('peak memory of a scan after a million identities', f'{peak / 1000:.0f} MB')
delays, processor = latency(3000)
row('100 adverts a second: from the controller to the line, p50 and p99',
    f'{statistics.median(delays):.2f} ms, {delays[len(delays) * 99 // 100]:.2f} ms')
row('the same: processor time of 1,000 adverts', f'{processor / 3 * 1e3:.0f} ms')
row('wake-ups a second while nothing is on the air', f'{quiet(30):.2f}')

#!/usr/bin/env python3
"""Makes a btsnoop capture (datalink 1002) of LE advertising reports, one an event.

Without options: 20 % iBeacons of 200 identities; the rest is a mix as crowds give it: Apple continuity, exposure
notification, names and service lists, Eddystone URLs (4 % of all reports), vendor data, scan responses. 1000 addresses.
The same arguments give the same bytes."""
import argparse
import random
import struct

EPOCH = 0x00DCDDB30F2F8000  # 1970-01-01 in microseconds of btsnoop
SEED = 7


def identities(count):
    """The iBeacons of a capture with so many: UUID, major, minor, measured power. Those of a smaller count come first."""
    draw = random.Random(SEED)
    return [
        (draw.randbytes(16), draw.getrandbits(16), draw.getrandbits(16), draw.randrange(-75, -50)) for _ in range(count)
    ]


def structure(kind, value):
    return bytes([len(value) + 1, kind]) + value


def beacon(uuid, major, minor, power):
    frame = b'\x4c\x00\x02\x15' + uuid + struct.pack('>HHb', major, minor, power)
    return b'\x02\x01\x06' + structure(0xFF, frame)


def other(draw, eddystone):
    kind = draw.random()
    if kind < .35: return b'\x02\x01\x1a\x02\x0a\x0c' + structure(0xFF, b'\x4c\x00\x10\x05' + draw.randbytes(5))
    if kind < .60: return b'\x02\x01\x1a' + structure(3, b'\x6f\xfd') + structure(0x16, b'\x6f\xfd' + draw.randbytes(20))
    if kind < .70: return b'\x02\x01\x06' + structure(9, b'Sensor %04d' % draw.randrange(10000)) + structure(3, b'\x0f\x18\x0a\x18')
    if kind < .75:
        uuid = eddystone or b'\x9f\xfe'
        return b'\x02\x01\x06' + structure(3, uuid) + structure(0x16, uuid + b'\x10\xee\x02example')
    if kind < .85: return b'\x02\x01\x06' + structure(0xFF, draw.randbytes(2) + draw.randbytes(draw.randrange(4, 20)))
    if kind < .95: return structure(9, b'Device') + structure(7, draw.randbytes(16))
    return b''


def record(data, number, event_type, draw):
    """A record up to its time, and from its time to its RSSI."""
    is_random = number & 1
    address = draw.randbytes(5) + bytes([draw.getrandbits(8) | (0xC0 if is_random else 0)])
    packet = bytes([4, 0x3E, 12 + len(data), 2, 1, event_type, is_random]) + address + bytes([len(data)]) + data
    return struct.pack('>IIII', len(packet) + 1, len(packet) + 1, 3, 0), packet


def write(path, reports, count, only_beacons, step, eddystone):
    draw = random.Random(SEED + 1)
    beacons = [record(beacon(*one), number, 0, draw) for number, one in enumerate(identities(count))]
    others = [record(other(draw, eddystone), number, 4 if number >= 700 else 0, draw) for number in range(800)]
    levels = [bytes([256 - level]) for level in range(30, 100)]
    time, random_unit, pack = EPOCH + 1_700_000_000_000_000, draw.random, struct.Struct('>q').pack
    with open(path, 'wb', buffering=1 << 20) as file:
        file.write(b'btsnoop\0' + struct.pack('>II', 1, 1002))
        for number in range(reports):
            if only_beacons: head, packet = beacons[number % count]
            elif number % 5 == 0: head, packet = beacons[int(random_unit() * count)]
            else: head, packet = others[int(random_unit() * 800)]
            time += 1 + int(random_unit() * (2 * step - 1))
            file.write(head + pack(time) + packet + levels[int(random_unit() * 70)])


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('reports', type=int)
    parser.add_argument('output')
    parser.add_argument('--identities', type=int, default=200, help='distinct iBeacons (200)')
    parser.add_argument('--only-beacons', action='store_true', help='nothing else on the air; one after the other')
    parser.add_argument('--step', type=int, default=500, help='mean time between reports in microseconds (500)')
    parser.add_argument('--no-eddystone', action='store_true', help='other service data in place of the Eddystone URLs')
    options = parser.parse_args()
    write(options.output, options.reports, options.identities, options.only_beacons, options.step,
          b'' if options.no_eddystone else b'\xaa\xfe')

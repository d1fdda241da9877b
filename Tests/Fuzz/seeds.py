#!/usr/bin/env python3
"""usage: seeds.py CAPTURES FOLDER

Cuts the captures (btsnoop of Linux's monitor channel) into pieces of a few records and writes them into
FOLDER/TARGET/, once for each target in its own form: as other containers, as bare packets, as what a sniffer on the
air would have recorded, as advertising data. What gpsd says comes from a list here."""
import glob
import os
import struct
import sys

EPOCH = 0x00DCDDB30F2F8000
SIZES = (1, 4, 12)


def records(path):
    """Time in microseconds, adapter, opcode, bytes."""
    data = open(path, 'rb').read()
    place, found = 16, []
    while place + 24 <= len(data):
        _, count, flags, _, time = struct.unpack('>IIIIq', data[place:place + 24])
        found.append((time - EPOCH, flags >> 16, flags & 0xFFFF, data[place + 24:place + 24 + count]))
        place += 24 + count
    return found


KINDS = {2: 1, 3: 4, 4: 2, 5: 2, 6: 3, 7: 3}  # opcode of the monitor channel to H4


def h4(record):
    return bytes([KINDS[record[2]]]) + record[3]


# Containers


def btsnoop(link, packets):
    """Packets are (time, flags, bytes)."""
    out = b'btsnoop\0' + struct.pack('>II', 1, link)
    for time, flags, packet in packets: out += struct.pack('>IIIIq', len(packet), len(packet), flags, 0, time + EPOCH) + packet
    return out


def pcap(link, packets, order='<', nano=False):
    out = struct.pack(order + 'IHHIIII', 0xA1B23C4D if nano else 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for time, packet in packets:
        out += struct.pack(order + 'IIII', time // 10**6, time % 10**6 * (1000 if nano else 1), len(packet), len(packet)) + packet
    return out


def pcapng(link, packets, order='<', kind=6):
    def block(kind, body):
        body += bytes(-len(body) % 4)
        size = struct.pack(order + 'I', len(body) + 12)
        return struct.pack(order + 'I', kind) + size + body + size
    out = block(0x0A0D0D0A, struct.pack(order + 'IHHq', 0x1A2B3C4D, 1, 0, -1))
    options = struct.pack(order + 'HHB3x', 9, 1, 9) + struct.pack(order + 'HHQ', 14, 8, 0) + bytes(4)
    out += block(1, struct.pack(order + 'HHI', link, 0, 0) + options)
    for time, packet in packets:
        ticks = time * 1000
        if kind == 3: head = struct.pack(order + 'I', len(packet))
        elif kind == 2: head = struct.pack(order + 'HHIIII', 0, 0, ticks >> 32, ticks & 0xFFFFFFFF, len(packet), len(packet))
        else: head = struct.pack(order + 'IIIII', 0, ticks >> 32, ticks & 0xFFFFFFFF, len(packet), len(packet))
        out += block(kind, head + packet)
    return out


def packetlogger(packets, order):
    kinds, out = {1: 0, 4: 1, 2: 3, 3: 9}, b''
    for time, packet in packets:
        out += struct.pack(order + 'IIIB', len(packet) + 8, time // 10**6, time % 10**6, kinds[packet[0]]) + packet[1:]
    return out


def hcidump(packets):
    return b''.join(struct.pack('<HBBII', len(packet), int(packet[0] == 4), 0, time // 10**6, time % 10**6) + packet
                    for time, packet in packets)


def counted(packets):
    """For the targets of several packets; see Payloads.swift."""
    return b''.join(struct.pack('<H', min(len(packet), 511) | 16 << 11) + packet[:511] for packet in packets)


def bcsp(packet):
    count = len(packet) - 1
    return bytes([0, 5 | (count & 15) << 4, count >> 4, 0]) + packet[1:]


# The air


def reports(packet):
    """Type of PDU, kind of address, address, RSSI, data of each report of an event that is right."""
    found = []
    if len(packet) < 4 or packet[0] != 0x3E: return found
    place = 4
    for _ in range(packet[3]):
        if packet[2] == 2 and place + 9 <= len(packet):
            size = packet[place + 8]
            if place + 10 + size > len(packet): break
            kind = {0: 0, 1: 1, 2: 6, 3: 2, 4: 4}.get(packet[place], 0)
            found.append((kind, packet[place + 1], packet[place + 2:place + 8], packet[place + 9 + size],
                          packet[place + 9:place + 9 + size]))
            place += 10 + size
        elif packet[2] == 13 and place + 24 <= len(packet):
            size = packet[place + 23]
            if place + 24 + size > len(packet): break
            found.append((7, packet[place + 2], packet[place + 3:place + 9], packet[place + 13],
                          packet[place + 24:place + 24 + size]))
            place += 24 + size
        else:
            break
    return found


def checksum(pdu):
    crc = 0xAAAAAA
    for byte in pdu:
        crc ^= byte
        for _ in range(8): crc = crc >> 1 ^ 0xDA6000 if crc & 1 else crc >> 1
    return crc.to_bytes(3, 'little')


def on_air(report):
    kind, address_type, address, _, data = report
    body = b'\x07\x01' + address + data if kind == 7 else address + data
    pdu = bytes([kind | (address_type & 1) << 6, min(len(body), 255)]) + body[:255]
    return b'\xd6\xbe\x89\x8e' + pdu + checksum(pdu)


def radio_header(report):
    return struct.pack('<BbbBIH', 37, struct.unpack('b', bytes([report[3]]))[0], -100, 0, 0x8E89BED6, 0x0C13) + on_air(report)


def nordic(report):
    packet = on_air(report)
    return bytes([0, len(packet) + 10 & 255, 0, 3, 1, 0, 2, 10, 1, 37, -report[3] & 0x7F, 0, 0, 0, 0, 0, 0]) + packet


def ppi(report):
    return struct.pack('<BBHI', 0, 0, 8, 251) + on_air(report)


LINK_LAYER = ((251, on_air), (256, radio_header), (272, nordic), (192, ppi))


# gpsd's lines: what it sends, and what it should not


def gpsd():
    def tpv(second, rest): return f'{{"class":"TPV","device":"/dev/a","mode":3,"time":"2024-06-01T12:00:{second:06.3f}Z",{rest}}}'
    place = '"lat":47.000000000,"lon":-8.5,"altHAE":548.0,"altMSL":500.0,"alt":500.0,"epx":3.1,"epy":4.2,"epv":27.6'
    motion = '"track":359.9,"magtrack":2.1,"speed":5.25,"climb":0.1,"eps":0.5,"epd":12.0,"eph":15.2,"status":2'
    yield tpv(0, place) + '\r\n' + tpv(0, place + ',' + motion) + '\r\n' + tpv(1, place + ',' + motion)
    yield tpv(59.9, motion) + '\n' + tpv(60, place) + '\n' + tpv(3, '"lat":0.0,"lon":-0.0') + '\n' + tpv(4, '"mode":1')
    yield '{"class":"TPV","mode":2,"time":1234567890.25,"lat":1e1,"lon":nan,"eph":1e400}\n$GPRMC,1*00\n{"class":"TPV",,}'
    yield '{"class":"ATT","time":"2022-03-29T00:38:32.000Z","heading":244.28,"mag_st":"M","pitch":0.0,"roll":0,"baseS":3}\n'
    yield '{"class":"ATT","mheading":360,"mag_x":21.5,"mag_y":-3,"mag_z":40}\n{"class":"ATT","heading":14223.0}\n'
    yield '{"class":"VERSION","release":"3.25","proto_major":3}\n{"class":"WATCH","enable":true,"json":true}\n' + tpv(1, place)
    yield '{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\\/dev\\/a","driver":"u-blox \\u00e9","activated":"2026-11-30T03:10:56.074Z"}]}\n'
    yield tpv(1, place) + '\n{"class":"DEVICE","path":"/dev/a","activated":0}\n{"class":"ERROR","message":"Unrecognized \\"?X\\n"}\n'
    yield '{"class":"SKY","satellites":[{"PRN":1,"used":true},[[[]]],{"PRN":2,"used":null}],"hdop":0.9}\n{"class":"XXX"}\n'


def seeds(piece):
    """Target and bytes."""
    monitor = [(time, adapter << 16 | opcode, data) for time, adapter, opcode, data in piece]
    packets = [(record[0], h4(record)) for record in piece if record[2] in KINDS]
    yield 'btsnoop', btsnoop(2001, monitor)
    for order in '<>':
        yield 'pcap', pcap(254, [(time, struct.pack('>I', flags) + data) for time, flags, data in monitor], order)
    yield 'pcapng', pcapng(254, [(time, struct.pack('>I', flags) + data) for time, flags, data in monitor])
    if not packets: return
    yield 'btsnoop', btsnoop(1001, [(time, {1: 2, 4: 3}.get(packet[0], 0), packet[1:]) for time, packet in packets])
    yield 'btsnoop', btsnoop(1002, [(time, 3, packet) for time, packet in packets])
    yield 'btsnoop', btsnoop(1003, [(time, 3, bcsp(packet)) for time, packet in packets])
    yield 'pcap', pcap(187, packets, '>', nano=True)
    yield 'pcap', pcap(201, [(time, bytes(4) + packet) for time, packet in packets])
    yield 'pcapng', pcapng(187, packets, '>')
    yield 'pcapng', pcapng(201, [(time, bytes(4) + packet) for time, packet in packets], kind=2)
    yield 'pcapng', pcapng(187, packets, kind=3)
    yield 'packetlogger', packetlogger(packets, '>')
    yield 'packetlogger', packetlogger(packets, '<')
    yield 'hcidump', hcidump(packets)
    yield 'hci', counted([packet for _, packet in packets])
    yield 'h4', bytes([len(packets) & 0xFF]) + b''.join(packet for _, packet in packets if packet[0] != 1)
    air = [(time, report) for time, packet in packets if packet[0] == 4 for report in reports(packet[1:])]
    for number, (link, form) in enumerate(LINK_LAYER):
        if not air: return
        yield 'pcap', pcap(link, [(time, form(report)) for time, report in air])
        yield 'pcapng', pcapng(link, [(time, form(report)) for time, report in air])
        yield 'linklayer', bytes([number]) + counted([form(report) for _, report in air])
    for _, report in air: yield 'ad', report[4]


def main(captures, folder):
    written = set()
    os.makedirs(os.path.join(folder, 'gpsd'), exist_ok=True)
    for number, text in enumerate(gpsd()):
        with open(os.path.join(folder, 'gpsd', f'{number:05}'), 'w') as file: file.write(text)
    for path in sorted(glob.glob(os.path.join(captures, '*.btsnoop'))):
        found = records(path)
        for size in SIZES:
            for start in range(0, len(found), 17 * size):
                for target, data in seeds(found[start:start + size]):
                    if len(data) > 4096 or (target, data) in written: continue
                    written.add((target, data))
                    os.makedirs(os.path.join(folder, target), exist_ok=True)
                    with open(os.path.join(folder, target, f'{len(written):05}'), 'wb') as file: file.write(data)


if __name__ == '__main__':
    if len(sys.argv) != 3: sys.exit(__doc__)
    main(*sys.argv[1:])

#!/usr/bin/env python3
"""Counts what a btmon -w file holds.   usage: snoopsum.py FILE..."""
import collections
import struct
import sys

KIND = {0: "new index", 1: "delete index", 2: "HCI command", 3: "HCI event",
        8: "open index", 9: "close index", 10: "index info", 12: "system note",
        13: "user logging", 14: "control open", 15: "control close",
        16: "mgmt command", 17: "mgmt event"}
for name in sys.argv[1:]:
    d = open(name, "rb").read()
    version, link = struct.unpack(">II", d[8:16])
    kinds, beacons, subs = (collections.Counter() for _ in range(3))
    times, i = [], 16
    pending = {}
    while i + 24 <= len(d):
        _, n, flags, drops, ts = struct.unpack(">IIIIQ", d[i:i + 24])
        p = d[i + 24:i + 24 + n]
        i += 24 + n
        times.append(ts)
        kinds[KIND.get(flags & 0xFFFF, str(flags & 0xFFFF))] += 1
        if flags & 0xFFFF != 3 or len(p) < 3 or p[0] != 0x3E or p[2] not in (2, 0x0D):
            continue
        p = p[:2 + p[1]]
        ext, j = p[2] == 0x0D, 4
        head = 24 if ext else 9             # up to and with the data length
        for _ in range(p[3] if len(p) > 3 else 0):
            k = p[j + head - 1] if j + head <= len(p) else 256
            if j + head + k + (not ext) > len(p):
                subs["cut"] += 1
                break
            data = p[j + head:j + head + k]
            subs["extended" if ext else "legacy"] += 1
            what = "legacy event"
            if ext:
                et, who = p[j] | p[j + 1] << 8, (p[j + 2:j + 9], p[j + 11])
                what = "extended event, " + ("legacy PDU" if et & 16 else "PHY %d" % p[j + 10])
                if not et & 16:             # pieces: joined per address and SID
                    data = pending.pop(who, b"") + data
                    if et >> 5 & 3 == 1:
                        pending[who] = data
                        data = b""
            j += head + k + (not ext)
            q = 0
            while q + 1 < len(data) and data[q] and q + 1 + data[q] <= len(data):
                ad = data[q + 1:q + 1 + data[q]]
                if len(ad) >= 26 and ad[:5] == b"\xff\x4c\x00\x02\x15":
                    mm = struct.unpack(">HH", ad[21:25])
                    beacons[(ad[5:21].hex(), *mm, what)] += 1
                q += 1 + data[q]
    print("%s: btsnoop version %d, link type %d, %d records, %.1f s" %
          (name.rsplit("/", 1)[-1], version, link, len(times), (times[-1] - times[0]) / 1e6))
    print("  " + ", ".join("%s %d" % kv for kv in kinds.most_common()))
    print("  advertising reports: " + ", ".join("%s %d" % kv for kv in subs.items()))
    for (u, a, b, what), k in sorted(beacons.items()):
        print("  iBeacon %s major %d minor %d, %s: %d" % (u, a, b, what, k))

// What the kernel's Bluetooth sockets want in the layouts of <bluetooth/hci.h>. That header can't be a module of its own:
// it brings the C library's types along, and Swift would then find those here instead of in Glibc.
// Every function returns a negative errno where it fails.
#pragma once

enum bluetooth_channel { BLUETOOTH_RAW, BLUETOOTH_USER, BLUETOOTH_MONITOR };

#define BLUETOOTH_NO_ADAPTER 0xFFFF

/// Opens a socket that does not block; reading gives each packet's time in a control message, as a timeval.
/// `events` has the bits of the event codes that shall come, modulo 64; for the raw channel only.
int bluetooth_open(enum bluetooth_channel channel, unsigned short adapter, unsigned long long events);

/// The adapters' numbers, in no order; returns how many.
int bluetooth_adapters(unsigned short *numbers, int room);

struct bluetooth_adapter {
    unsigned long long address;
    char is_up;
    /// 1, 0, or -1 while the kernel has not asked the controller.
    signed char has_low_energy;
};

int bluetooth_describe(unsigned short number, struct bluetooth_adapter *adapter);

/// Switches an adapter on, before that off where `cycles`, without waiting. Returns a pipe from which what came of it can be
/// read, as an int: 0 or a negative errno.
int bluetooth_power(unsigned short number, int cycles);

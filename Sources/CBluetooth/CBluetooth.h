// The kernel's HCI sockets, as BlueZ's library describes them. Nothing of the library is linked.
#pragma once

#include <stdint.h>
#include <sys/ioctl.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

// Swift can't read macros that compute.
static const unsigned long HCI_GET_DEVICE_LIST = HCIGETDEVLIST;
static const unsigned long HCI_GET_DEVICE_INFO = HCIGETDEVINFO;
static const unsigned long HCI_DEVICE_UP = HCIDEVUP;
static const unsigned long HCI_DEVICE_DOWN = HCIDEVDOWN;

#define _GNU_SOURCE
#include "CBluetooth.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

static int with_socket(int request, unsigned long argument)
{
    int number = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
    if (number < 0)
        return -errno;
    int result = ioctl(number, (unsigned long)request, argument) < 0 ? -errno : 0;
    close(number);
    return result;
}

int bluetooth_open(enum bluetooth_channel channel, unsigned short adapter, unsigned long long events)
{
    struct sockaddr_hci address = {
        .hci_family = AF_BLUETOOTH,
        .hci_dev = adapter,
        .hci_channel = channel == BLUETOOTH_RAW ? HCI_CHANNEL_RAW
            : channel == BLUETOOTH_USER ? HCI_CHANNEL_USER : HCI_CHANNEL_MONITOR,
    };
    struct hci_filter filter = {
        .type_mask = 1U << HCI_EVENT_PKT,
        .event_mask = { (uint32_t)events, (uint32_t)(events >> 32) },
    };
    int on = 1;
    int number = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, BTPROTO_HCI);
    if (number < 0)
        return -errno;
    // Before binding, so that nothing comes through no filter, or without a time. The raw channel has its own time stamp.
    int result = channel == BLUETOOTH_RAW
        ? setsockopt(number, SOL_HCI, HCI_FILTER, &filter, sizeof filter)
            | setsockopt(number, SOL_HCI, HCI_TIME_STAMP, &on, sizeof on)
        : setsockopt(number, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on);
    if (result != 0 || bind(number, (struct sockaddr *)&address, sizeof address) != 0) {
        int error = errno;
        close(number);
        return -error;
    }
    return number;
}

int bluetooth_adapters(unsigned short *numbers, int room)
{
    struct hci_dev_list_req *list = calloc(1, sizeof *list + (size_t)room * sizeof *list->dev_req);
    if (!list)
        return -ENOMEM;
    list->dev_num = (uint16_t)room;
    int result = with_socket((int)HCIGETDEVLIST, (unsigned long)list);
    if (result == 0) {
        result = list->dev_num;
        for (int place = 0; place < result; place++)
            numbers[place] = list->dev_req[place].dev_id;
    }
    free(list);
    return result;
}

int bluetooth_describe(unsigned short number, struct bluetooth_adapter *adapter)
{
    struct hci_dev_info info = { .dev_id = number };
    int result = with_socket((int)HCIGETDEVINFO, (unsigned long)&info);
    if (result != 0)
        return result;
    adapter->address = 0;
    for (int place = 5; place >= 0; place--)
        adapter->address = adapter->address << 8 | info.bdaddr.b[place];
    adapter->is_up = info.flags >> HCI_UP & 1;
    // Page 0 of the LMP features (Core specification, volume 2, part C, 3.3); none at all: not asked yet.
    int any = 0;
    for (int place = 0; place < 8; place++)
        any |= info.features[place];
    adapter->has_low_energy = any ? (info.features[4] & LMP_LE) != 0 : -1;
    return 0;
}

static int switch_adapter(unsigned short number, int on)
{
    int result = with_socket((int)(on ? HCIDEVUP : HCIDEVDOWN), number);
    // It is as it shall be.
    return on && result == -EALREADY ? 0 : result;
}

struct power {
    unsigned short number;
    int cycles;
    int output;
};

static void *power(void *argument)
{
    struct power *power = argument;
    int result = power->cycles ? switch_adapter(power->number, 0) : 0;
    if (result == 0)
        result = switch_adapter(power->number, 1);
    // Who began it may have gone.
    ssize_t written = write(power->output, &result, sizeof result);
    (void)written;
    close(power->output);
    free(power);
    return NULL;
}

int bluetooth_power(unsigned short number, int cycles)
{
    int ends[2];
    struct power *argument = malloc(sizeof *argument);
    if (!argument)
        return -ENOMEM;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        int error = errno;
        free(argument);
        return -error;
    }
    *argument = (struct power) { number, cycles, ends[1] };
    // Signals are for the thread that waits for them.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int error = pthread_create(&thread, NULL, power, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) {
        close(ends[0]);
        close(ends[1]);
        free(argument);
        return -error;
    }
    pthread_detach(thread);
    return ends[0];
}

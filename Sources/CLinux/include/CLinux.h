// What of Linux's own interface Swift's Glibc does not know.
#pragma once

/// Whether somebody keeps the kernel's clock right: 1, 0, or -1 where that can't be asked.
int linux_clock_is_synchronised(void);

/// The attribute of this program's file that gives privileges to who starts it (`vfs_cap_data`); returns its length, or -1
/// where there is none.
long linux_file_capabilities(unsigned char *bytes, unsigned long room);

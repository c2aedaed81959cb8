// SPDX-License-Identifier: MIT
/* The names of all devices, whether this build has them or not: X(name). device.c has those of the build. */
#ifndef RD_DEVICE_DEVICES_H
#define RD_DEVICE_DEVICES_H

#define RD_DEVICES(X)                                                                              \
    X(sim)                                                                                         \
    X(cuda)

/* Words that open a device: as the value of an option, "auto|sim|...", and as a list, NULL behind the last. */
#define RD_DEVICE_WORD(name) "|" #name
#define RD_DEVICE_WORDS      "auto" RD_DEVICES(RD_DEVICE_WORD)
#define RD_DEVICE_NAME(name) #name,
#define RD_DEVICE_NAMES      "auto", RD_DEVICES(RD_DEVICE_NAME) NULL

#endif

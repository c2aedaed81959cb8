// SPDX-License-Identifier: MIT
/* All devices, the preferred one first: X(name, which builds have it), ALWAYS or WITH_CUDA. Each has a folder of its name, and in it
 * rd_device_NAME, its operations. The build and tools/dependencies.py read the rows, too. */
#ifndef RD_DEVICE_DEVICES_H
#define RD_DEVICE_DEVICES_H

#define RD_DEVICES(X)                                                                              \
    X(cuda, WITH_CUDA)                                                                             \
    X(sim, ALWAYS)

/* Words that open a device: as the value of an option, "auto|sim|...", and as a list, NULL behind the last. */
#define RD_DEVICE_WORD(name, where) "|" #name
#define RD_DEVICE_WORDS             "auto" RD_DEVICES(RD_DEVICE_WORD)
#define RD_DEVICE_NAME(name, where) #name,
#define RD_DEVICE_NAMES             "auto", RD_DEVICES(RD_DEVICE_NAME) NULL

#endif

// SPDX-License-Identifier: MIT
#ifndef RD_SIM_SIM_H
#define RD_SIM_SIM_H

#include "reductio/device.h"

extern const struct rd_device_ops rd_device_sim;

/* The device is a simulator: what is asked of the simulator by its own functions is asked of this one from now on,
 * by the calling thread, until it uses another. */
void rd_sim_enter(const struct rd_device *device);

#endif

// SPDX-License-Identifier: MIT
#ifndef RD_SIM_SIM_H
#define RD_SIM_SIM_H

#include "reductio/device.h"

extern const struct rd_device_ops rd_device_sim;

#endif

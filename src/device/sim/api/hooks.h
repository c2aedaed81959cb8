// SPDX-License-Identifier: MIT
/* Functions that kernels call. They are visible to a kernel file that is loaded later, too. */
#ifndef RD_SIM_HOOKS_H
#define RD_SIM_HOOKS_H

#define RD_HOOK __attribute__((visibility("default")))

#endif

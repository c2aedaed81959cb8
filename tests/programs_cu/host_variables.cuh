// SPDX-License-Identifier: MIT
// Variables of a header: of the host's, and of the device's.
#pragma once
inline int in_header[4];
static __device__ int of_header[4];
void in_other_file(int *out);

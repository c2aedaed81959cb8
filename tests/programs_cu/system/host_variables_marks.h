// SPDX-License-Identifier: MIT
// Macros of a header that is not read, as its folder is one of -isystem.
#define in_unread_header     __device__
#define in_unread_header_too __device__ int

// SPDX-License-Identifier: MIT
// For host_threads.cu.
thread_local int of_other_file = 7;

// SPDX-License-Identifier: MIT
/* Hooks of the simulator's that compiled kernels call before an access, for tests that make accesses without a kernel. */
#ifndef RD_TEST_TSAN_HOOKS_H
#define RD_TEST_TSAN_HOOKS_H

void __tsan_read1(void *p);
void __tsan_read2(void *p);
void __tsan_read4(void *p);
void __tsan_read8(void *p);
void __tsan_write1(void *p);
void __tsan_write2(void *p);
void __tsan_write4(void *p);
void __tsan_write8(void *p);
void __tsan_volatile_read4(void *p);
void __tsan_volatile_write4(void *p);

#endif

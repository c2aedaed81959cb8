// SPDX-License-Identifier: MIT
/* Statuses and error messages. A function that can fail returns an rd_status, leaves its outputs
 * untouched on failure and, when the caller passes a non-NULL rd_error, writes there one line that
 * a person can act on: lower case, the problem first, the subject quoted, then what to do.
 *
 * Thread safety: any thread may call these functions at any time.
 * An rd_error is the caller's. */
#ifndef RD_STATUS_H
#define RD_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum rd_status {
    RD_OK = 0,
    RD_ERROR_USAGE,  /* an argument, option or input value that cannot be taken */
    RD_ERROR_INPUT,  /* a file whose content is not what it should be */
    RD_ERROR_IO,     /* the operating system refused a read or a write */
    RD_ERROR_MEMORY, /* out of host or device memory */
    RD_ERROR_DEVICE, /* the device is missing, or one of its calls failed */
    RD_ERROR_LAUNCH, /* a launch that the hardware would refuse */
    RD_ERROR_HUNG,   /* a kernel did not end within its time limit */
    RD_ERROR_FAULT,  /* the device stopped a kernel for what that did, as an access to no memory */
    RD_ERROR_INTERRUPTED, /* the run was asked to stop before its end */
};

/* A message in full, without a newline. */
struct rd_error {
    char text[512];
};

/* The general meaning of a status, for instance "no memory". Never NULL. */
const char *rd_status_text(enum rd_status status);

/* Formats a message into `error`, when that is not NULL, and returns `status`. */
enum rd_status rd_fail(struct rd_error *error, enum rd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif

// SPDX-License-Identifier: MIT
/* The recording of a user's program that runs whole: its process writes it, and Reductio's reads it when that has
 * ended.
 *
 * A recording is a sequence of frames: the length of a text in 4 bytes, that of a payload in 8, both of this
 * machine's order; the text, a JSON object whose member "event" says what it is; and the payload. Events:
 *
 *   launch   a kernel is launched by the host: number (from 1), kernel, file, line, grid, block (3 numbers each),
 *            shared_bytes, stream, threads
 *   finding  something is wrong: as rd_check_finding_json() has it; kernel, and launch, its number, where it is of one
 *   law      a law is to be asserted: its payload are the arrays, one behind the other
 *   difference  a launch leaves another result under another schedule: kind ("values", "order", "rounding", "prints"), array, cell, type,
 *            index, count, n_elems, schedule, value, other_schedule, other_value; kernel, launch, file, line
 *   tried    behind all launches, where threads of some communicate: launches, less (not tried under all), fewest and schedules (that one
 *            of them, at least and at most, has run under), why
 *   lack     something could not be looked at: text
 *   end      the program has ended: how ("returned", "exit", "signal", "timeout", "exception", or "failed": Reductio could not
 *            go on, and a lack says why), status
 *
 * Events of other names are passed on: a reader that does not know one says so. The program shares the process that
 * writes, and may write anything: a reader trusts nothing. */
#ifndef RD_CHECK_RECORDING_H
#define RD_CHECK_RECORDING_H

#include "reductio/status.h"

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Limits of a frame; a recording as a whole has RD_RECORDING_MAX bytes at most. */
enum { RD_RECORDING_TEXT_MAX = 16 << 20 };
#define RD_RECORDING_PAYLOAD_MAX ((uint64_t)1 << 34)
#define RD_RECORDING_MAX         ((uint64_t)1 << 35)

/* A part of a payload. */
struct rd_recording_part {
    const void *bytes;
    uint64_t size_bytes;
};

/* Writes one event, and lets go of it. In the process of the program, also in a signal handler. RD_ERROR_IO where it can't be
 * written, RD_ERROR_MEMORY where it has no room in the recording: it is then as if it had not been. */
enum rd_status rd_recording_write(FILE *file, json_t *event, const struct rd_recording_part *parts,
                                  unsigned n_parts);

/* Has the end of the program's time wait for an event that is being made or written; `before` is for the release. They may be
 * nested. */
void rd_recording_hold(sigset_t *before);
void rd_recording_release(const sigset_t *before);

/* The number of events that this process has written. */
uint64_t rd_recording_written(void);

struct rd_recording_event {
    json_t *object;   /* with the member "event", a text */
    const char *name; /* that text */
    void *payload;    /* size_bytes; NULL where that is 0 */
    uint64_t size_bytes;
};

/* Reads the next event of a file that was rewound before the first; *event is finished by the caller, and has no object
 * behind the last. RD_ERROR_INPUT: it is no recording from here on, or its last frame was cut; RD_ERROR_MEMORY, RD_ERROR_IO.
 * Nothing more can be read then. Members besides "event" are yet to be looked at: rd_recording_is_sound(). */
enum rd_status rd_recording_read(FILE *file, struct rd_recording_event *event,
                                 struct rd_error *error);
void rd_recording_event_finish(struct rd_recording_event *event);

/* Tells whether a launch, a finding, a lack or an end has all members that it must have, each of its type and in its range. */
bool rd_recording_is_sound(const struct rd_recording_event *event);

#endif

// SPDX-License-Identifier: MIT
/* Tells a counterexample to a goal, which may be a state that no run reaches, from a run that fails. */
#ifndef RD_PROVE_REPLAY_H
#define RD_PROVE_REPLAY_H

#include "prove/logic/proof.h"
#include "reductio/program.h"

#include <signal.h>

/* Where not all goals are proved, runs the program in the simulator, until a run violates an invariant or has a hazard, or some
 * seconds have passed: with n = 1, 2, 3, ... in shapes of a few sizes that it accepts, then with the numbers of the counterexamples,
 * and in its own default shape. Sets proof->replay. Where no run fails, goals that are refuted become OPEN, with that reason; their
 * counterexamples stay.
 *
 * RD_ERROR_INTERRUPTED; RD_ERROR_MEMORY; RD_ERROR_DEVICE: the simulator does not start. */
enum rd_status rd_proof_replay(struct rd_proof *proof, const struct rd_program *program,
                               const volatile sig_atomic_t *interrupted, struct rd_error *error);

/* The same of a user's program, which is run as it stands, compiled with the options (optional, up to NULL), in a
 * process of its own. */
enum rd_status rd_proof_replay_file(struct rd_proof *proof, const char *path,
                                    const char *const *compiler_options,
                                    const volatile sig_atomic_t *interrupted,
                                    struct rd_error *error);

#endif

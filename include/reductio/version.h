// SPDX-License-Identifier: MIT
/* The library's version, by Semantic Versioning. */
#ifndef RD_VERSION_H
#define RD_VERSION_H

/* Version of these headers. Meson refuses to configure where meson.build says otherwise. */
#define RD_VERSION_MAJOR 0
#define RD_VERSION_MINOR 1
#define RD_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Returns the version of the library that runs: "0.1.0". The text is constant. */
const char *rd_version(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif

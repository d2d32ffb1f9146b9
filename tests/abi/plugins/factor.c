/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with one soname and several builds, each with another factor. */
double library_factor(void);
double library_factor(void) { return FACTOR; }

/* SPDX-License-Identifier: BSD-3-Clause */
/* A shared library that is not a plugin. */
int hilda_test_nothing(void);
int hilda_test_nothing(void) { return 0; }

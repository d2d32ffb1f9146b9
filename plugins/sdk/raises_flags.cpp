// SPDX-License-Identifier: BSD-3-Clause
// Compiled into those plugins of hilda whose blocks all flag what they do (hilda/flags.h), but for those of their types
// that say otherwise.

extern "C" {
[[gnu::visibility("hidden")]] extern const unsigned char hilda_blocks_raise_flags;
const unsigned char hilda_blocks_raise_flags = 1;
}

// SPDX-License-Identifier: BSD-3-Clause
// The SDK and its test kit with the standard library libc++. Compiled, never linked.
#include <hilda/plugin.h>
#include <hilda/testing.h>

#include "plugins/template/c++/low_pass.cpp"

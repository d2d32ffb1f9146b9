// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_SLOTS_H
#define HILDA_SLOTS_H

// The members a block is made of. Each declares itself (see declare.h) and knows how to read and write its place in the
// record.

#include <hilda/input.h>
#include <hilda/output.h>
#include <hilda/parameter.h>
#include <hilda/parts.h>
#include <hilda/state.h>

#endif

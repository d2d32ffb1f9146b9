// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

namespace hilda::python {

/// For a process that runs a simulation for another one: a fault, an abort or an exit within a plugin writes what ran,
/// as "file\tblock\ttype\tphase", to the descriptor before it goes its way.
void note_crashes(int descriptor);

} // namespace hilda::python

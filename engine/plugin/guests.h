// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/process_watch.h"
#include "engine/diagram/system.h"
#include "engine/modules.h"

namespace hilda::plugin {

/// Blocks are guests of the process: while it lives, what their functions change of it is put back. On this thread.
class Guests {
public:
  /// `moves`: the run moves devices. Then what a block changes is an error. `named`: there is time to find each call.
  Guests(const System& system, bool moves, bool named = false);
  /// Reports what they have changed since they were asked last; false after an error. Code: block-process.
  bool behave(Diagnostics& diagnostics) const;
  /// Of a run that moves devices, before it starts: false where a plugin of this system has changed something when it
  /// was loaded or asked for shapes, when no one knew what the run would be. Code: block-process.
  bool have_behaved(Diagnostics& diagnostics) const;

private:
  const System& system_;
  const bool moves_;
  const ProcessWatch watch_;
};

} // namespace hilda::plugin

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

namespace hilda::plugin {

/// A second stack for the calling thread's signal handlers, so that a thread that has used up its own can still say
/// where. From construction to destruction, both on that thread.
class AlternateStack {
public:
  AlternateStack();
  ~AlternateStack();
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

private:
  void* memory_ = nullptr;
};

} // namespace hilda::plugin

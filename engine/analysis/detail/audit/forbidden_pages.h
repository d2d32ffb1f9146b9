// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/schedule.h"

#include <cstddef>

namespace hilda::analysis {

/// Memory that may not be touched, cut into many slots, and a way to call a block and live through its touching one.
///
/// While it lives, the handler of SIGSEGV is its own; faults elsewhere go to the one before. One at a time.
class ForbiddenPages {
public:
  ForbiddenPages();
  ~ForbiddenPages();
  ForbiddenPages(const ForbiddenPages&) = delete;
  ForbiddenPages& operator=(const ForbiddenPages&) = delete;

  /// False where the system gives no such memory.
  bool usable() const { return base_ != nullptr; }
  static constexpr std::size_t slots = 4096;
  /// Beginning of a slot of 1 MiB; those beyond the last share it.
  const void* slot(std::size_t index) const;

  /// Calls the block; -1, or the slot that it touched. The call then ended right there.
  int call(const Call& call, const hilda_tick* tick) const;

private:
  char* base_ = nullptr;
};

} // namespace hilda::analysis

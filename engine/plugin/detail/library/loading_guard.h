// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/plugin/floating_point.h"

#include <exception>
#include <string>

namespace hilda::plugin {

/// Surrounds every piece of a plugin's code that runs while it is loaded.
///
/// A static constructor that throws cannot be caught: the C library lies in between, and the program ends. This makes
/// the end say whose fault it is: a diagnostic on stderr, and exit code 2, that of a bad file. The floating-point mode
/// is that of before when the guard goes. Guards do not nest.
class LoadingGuard {
public:
  explicit LoadingGuard(const std::string& file);
  ~LoadingGuard();
  LoadingGuard(const LoadingGuard&) = delete;
  LoadingGuard& operator=(const LoadingGuard&) = delete;

  /// Has the plugin's code changed the floating-point mode so far?
  bool mode_changed() const { return !(FloatingPointMode::current() == mode_); }
  /// And is it the rounding that is another one?
  bool rounding_changed() const { return !FloatingPointMode::current().rounds_like(mode_); }

private:
  FloatingPointMode mode_ = FloatingPointMode::current();
  std::terminate_handler before_;
};

} // namespace hilda::plugin

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <string>

namespace hilda::base {

/// "SIGINT", "SIGRTMIN+3"
inline std::string name_of_signal(int signal) {
  if (const char* name = sigabbrev_np(signal)) return std::string("SIG") + name;
  return fmt::format("SIGRTMIN+{}", signal - SIGRTMIN);
}

} // namespace hilda::base

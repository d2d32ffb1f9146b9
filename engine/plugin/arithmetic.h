// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>

namespace hilda::plugin {

/// What the bits of a run depend on next to the diagram, the plugins and the program.
struct Arithmetic {
  /// Of sin, exp, pow and their kin: "musl 1.2.3 (fingerprint 0123456789abcdef)". The fingerprint is a hash of their
  /// values at fixed arguments: it differs where the library would give other bits.
  std::string mathematics;
  const char* where = ""; ///< their values are equal: "the same on every processor"
  std::string processor;  ///< "Intel(R) Xeon(R) Processor (avx2 fma)"
  std::string c_library;  ///< "glibc 2.36"
};

/// Of this process; looked at once.
const Arithmetic& arithmetic();

/// What there is to say of a log whose entry "mathematics" is `recorded`: empty where it is this process's, else a
/// sentence. Where bits differ, this is the first thing to know.
std::string other_mathematics(const std::string& recorded);

} // namespace hilda::plugin

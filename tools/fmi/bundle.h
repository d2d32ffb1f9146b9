// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <map>
#include <string>

namespace hilda::fmi {

/// The newest versions that are asked for of the C library, 2.c, and of the C++ library, 3.4.cxx.
struct HostLibraries {
  int c = 0, cxx = 0;
};

/// Shared libraries that travel with an FMU, by the names that they have there.
///
/// Each is stripped. A library gets a name of our own ("libfmt.so.9" becomes "hldfmt.so.9"), so that a host that has
/// loaded another version of it does not disturb us. C and C++ library are the host's: two C++ libraries in one process
/// share what they keep for locales, and either then reads numbers wrongly.
class Bundle {
public:
  /// Adds a file under a name, and what it needs in turn. False, and `error`.
  bool add(const std::string& file, const std::string& name, std::string& error);
  const std::map<std::string, std::string>& files() const { return files_; }
  /// Of the host, in all: "glibc 2.34 and libstdc++ 3.4.29 (GLIBCXX)".
  std::string needs() const;

private:
  std::map<std::string, std::string> files_;
  HostLibraries needs_;
};

} // namespace hilda::fmi

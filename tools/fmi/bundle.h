// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <map>
#include <string>
#include <vector>

namespace hilda::fmi {

/// The newest versions that are asked for of the C library, 2.c, and of the C++ library, 3.4.cxx.
struct HostLibraries {
  int c = 0, cxx = 0;
};

/// Shared libraries that travel with an FMU or in a compiled program, by the names that they have there.
///
/// Each is stripped. In an FMU a library gets a name of our own ("libfmt.so.9" becomes "hldfmt.so.9"), so that a host
/// that has loaded another version of it does not disturb us. C and C++ library are the host's: two C++ libraries in
/// one process share what they keep for locales, and either then reads numbers wrongly.
class Bundle {
public:
  enum class Names { own, kept };
  enum class System { left, added }; ///< C and C++ library, and the loader
  explicit Bundle(Names names = Names::own, System system = System::left) : names_(names), system_(system) {}

  /// Adds a file under a name, and what it needs in turn. False, and `error`.
  bool add(const std::string& file, const std::string& name, std::string& error);
  const std::map<std::string, std::string>& files() const { return files_; }
  /// Their names, each after those that it needs.
  const std::vector<std::string>& order() const { return order_; }
  /// C library, C++ library, the compiler's, or the loader.
  static bool of_system(const std::string& name);
  /// Of the host, in all: "glibc 2.34 and libstdc++ 3.4.29 (GLIBCXX)".
  std::string needs() const;

private:
  std::string travelling(const std::string& name) const;

  Names names_;
  System system_;
  std::map<std::string, std::string> files_;
  std::vector<std::string> order_;
  HostLibraries needs_;
};

} // namespace hilda::fmi

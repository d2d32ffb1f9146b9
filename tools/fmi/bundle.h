#pragma once

#include <map>
#include <string>
#include <utility>

namespace hilda::fmi {

/// Shared libraries that travel with an FMU, by the names that they have there.
///
/// Each is stripped. A library that is not a part of the C library gets a name of our own ("libfmt.so.9" becomes
/// "hldfmt.so.9"), so that a host that has loaded another version of it does not disturb us; the C++ library too, since
/// hosts carry older ones.
class Bundle {
public:
  /// Adds a file under a name, and what it needs in turn. False, and `error`.
  bool add(const std::string& file, const std::string& name, std::string& error);
  const std::map<std::string, std::string>& files() const { return files_; }
  /// What they need in all: "2.34".
  std::string c_library() const;

private:
  std::map<std::string, std::string> files_;
  std::pair<int, int> c_library_{2, 2}; ///< the oldest of a 64-bit processor
};

} // namespace hilda::fmi

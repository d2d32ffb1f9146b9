#pragma once

#include <map>
#include <string>

namespace hilda::fmi {

/// Shared libraries that travel with an FMU, by the names that they have there.
///
/// Each is stripped. A library that is neither the C nor the C++ library gets a name of our own ("libfmt.so.9" becomes
/// "hldfmt.so.9"), so that a host that has loaded another version of it does not disturb us.
class Bundle {
public:
  /// Adds a file under a name, and what it needs in turn. False, and `error`.
  bool add(const std::string& file, const std::string& name, std::string& error);
  const std::map<std::string, std::string>& files() const { return files_; }

private:
  std::map<std::string, std::string> files_;
};

} // namespace hilda::fmi

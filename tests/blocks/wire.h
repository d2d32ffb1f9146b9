// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace hilda::test {

/// The line that connects them.
inline std::string wire(const std::string& from, const std::string& to) {
  return "<connect from=\"" + from + "\" to=\"" + to + "\"/>\n";
}

} // namespace hilda::test

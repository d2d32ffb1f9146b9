// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::fmi {

/// A ZIP file in memory. Files are deflated, with one fixed date, so that the same content gives the same bytes.
class Archive {
public:
  void add(const std::string& name, const std::string& content);
  /// With its list of files.
  std::string take();

private:
  std::string bytes_, list_;
  std::uint16_t files_ = 0;
};

} // namespace hilda::fmi

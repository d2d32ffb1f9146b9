// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hilda::cli {

/// A block's parameters as it uses them, SI.
struct BlockFacts {
  std::string path; ///< "rig.robot"
  const nlohmann::ordered_json& parameters;

  double number(const char* name, double otherwise) const;
  std::string text(const char* name) const;
  bool has(const char* name) const;
};

} // namespace hilda::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/value.h"

#include <string>
#include <vector>

namespace hilda::quantity {

/// Where nothing is called by `${}`: the command line, a study.
class NoNames : public Scope {
public:
  Result<const Value*> find(const std::string&) const override { return nullptr; }
  std::vector<std::string> names() const override { return {}; }
};

} // namespace hilda::quantity

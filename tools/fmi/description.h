// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/fmi/detail/model/variables.h"
#include "tools/modules.h"

#include <string>

namespace hilda::fmi {

struct Description {
  int version = 3; ///< of FMI: 2 or 3
  std::string name, identifier, doc, token, generator;
  double step = 0, stop = 1; ///< s
  bool saves_state = true;
};

/// modelDescription.xml
std::string description_text(const Description& description, const std::vector<Variable>& variables);

/// A name of C: what a model identifier must be.
std::string identifier_of(const std::string& name);

} // namespace hilda::fmi

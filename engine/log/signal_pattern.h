// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/name_pattern.h"
#include "engine/log/log.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::log {

/// One element of a recorded signal.
struct ElementPlace {
  std::string name;        ///< "rig.sensor.wrench.force.x"
  std::size_t channel = 0; ///< index into LogSchema::channels
  std::size_t field = 0;
  std::size_t element = 0;
};

/// Every element of every signal, in the log's order.
std::vector<ElementPlace> all_elements(const Log& log);

/// The elements that a pattern means, in the log's order; a pattern may also be an alias. Empty: there is none.
std::vector<ElementPlace> elements_of(const Log& log, const std::string& pattern);

/// Unit of one element: of a wrench N or N m, of a twist m/s or rad/s, of a pose m or none; otherwise the field's.
std::string element_unit(const LogField& field, std::size_t element);

} // namespace hilda::log

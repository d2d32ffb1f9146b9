// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/signal_text.h"

#include "engine/catalogue/shape_text.h"

namespace hilda::catalogue {

std::string describe(const SignalType& type) {
  if (type.kind != HILDA_PLAIN) return kind_name(type.kind);
  const bool known = type.rows >= 0 && type.cols >= 0;
  const std::string shape = known ? shape_text(type.rows, type.cols) : "?";
  if (type.element != HILDA_F64) return (shape == "scalar" ? "" : shape + " ") + element_name(type.element);
  return shape + " [" + (type.unit ? type.unit->text() : "?") + "]";
}

} // namespace hilda::catalogue

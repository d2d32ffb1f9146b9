// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/console/signal_value.h"

#include <algorithm>
#include <fmt/format.h>

namespace hilda::cli {

std::string value_text(const SystemSignal& signal) {
  std::string text;
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(signal.span.count, most); ++i) {
    if (signal.span.element == HILDA_F64)
      text += fmt::format(" {:.6g}", static_cast<const double*>(signal.span.data)[i]);
    else if (signal.span.element == HILDA_U8)
      text += static_cast<const unsigned char*>(signal.span.data)[i] != 0 ? " true" : " false";
    else
      text += fmt::format(" {}", static_cast<const std::int64_t*>(signal.span.data)[i]);
  }
  if (signal.span.count > most) text += " ...";
  const bool named = signal.type.kind != HILDA_PLAIN;
  if (!named && signal.type.unit && !signal.type.unit->dimensionless()) text += " " + signal.type.unit->text();
  return text;
}

} // namespace hilda::cli

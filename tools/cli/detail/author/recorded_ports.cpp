// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/recorded_ports.h"

#include <algorithm>
#include <fmt/format.h>

namespace hilda::cli {
namespace {

double number_in(const Span& span, std::size_t i) {
  switch (span.element) {
  case HILDA_U8: return static_cast<const std::uint8_t*>(span.data)[i];
  case HILDA_I64: return static_cast<double>(static_cast<const std::int64_t*>(span.data)[i]);
  case HILDA_U64: return static_cast<double>(static_cast<const std::uint64_t*>(span.data)[i]);
  default: return static_cast<const double*>(span.data)[i];
  }
}

} // namespace

std::string RecordedPorts::text() const {
  std::string text;
  for (const std::string& each : columns) text += (text.empty() ? "" : ",") + each;
  text += "\n";
  for (const std::vector<double>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += fmt::format("{}{:.17g}", i == 0 ? "" : ",", row[i]);
    text += "\n";
  }
  return text;
}

bool RecordedPorts::moves() const {
  return std::any_of(rows.begin(), rows.end(), [this](const std::vector<double>& row) {
    return std::any_of(row.begin() + static_cast<std::ptrdiff_t>(inputs), row.end(), [](double v) { return v != 0; });
  });
}

RecordedPorts record(Runtime& runtime, const SubsystemPorts& ports, std::int64_t ticks) {
  RecordedPorts recorded;
  recorded.period = runtime.base().value() * static_cast<double>(ports.divider);
  for (const auto* side : {&ports.inputs, &ports.outputs}) {
    for (const SubsystemPort& port : *side)
      for (std::size_t i = 0; i < port.type.elements(); ++i)
        recorded.columns.push_back(port.name + "[" + std::to_string(i) + "]");
    if (side == &ports.inputs) recorded.inputs = recorded.columns.size();
  }
  for (std::int64_t k = 0; k < ticks && runtime.compute(); ++k) {
    if (k % ports.divider == 0) {
      std::vector<double> row;
      for (const auto* side : {&ports.inputs, &ports.outputs})
        for (const SubsystemPort& port : *side) {
          const Span span = runtime.memory().span(port.signal.block, port.signal.slot, port.signal.item);
          for (std::size_t i = 0; i < port.type.elements(); ++i)
            row.push_back(number_in(span, static_cast<std::size_t>(port.offset) + i));
        }
      recorded.rows.push_back(std::move(row));
    }
    if (!runtime.advance()) break;
  }
  return recorded;
}

} // namespace hilda::cli

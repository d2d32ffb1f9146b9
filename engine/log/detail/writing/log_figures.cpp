// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/log_figures.h"

#include <nlohmann/json.hpp>

namespace hilda::log {

std::vector<LogFigure> figures_of(const LogSchema& schema) {
  const auto found = schema.metadata.find("figures");
  if (found == schema.metadata.end()) return {};
  const nlohmann::json json = nlohmann::json::parse(found->second, nullptr, false);
  std::vector<LogFigure> figures;
  if (!json.is_array()) return figures;
  for (const nlohmann::json& entry : json) {
    const bool whole = entry.is_object() && entry.contains("title") && entry["title"].is_string() &&
                       entry.contains("signals") && entry["signals"].is_array();
    if (!whole) continue;
    LogFigure figure{entry["title"].get<std::string>(), {}};
    for (const nlohmann::json& signal : entry["signals"])
      if (signal.is_string()) figure.signals.push_back(signal.get<std::string>());
    figures.push_back(std::move(figure));
  }
  return figures;
}

} // namespace hilda::log

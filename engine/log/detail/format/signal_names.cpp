// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/signal_names.h"

#include "engine/base/diagnostic.h"

#include <set>

namespace hilda::log {
namespace {

std::string without_alias(const LogSchema& schema, const std::string& name) {
  for (std::size_t length = name.size(); length > 0; --length) {
    if (length < name.size() && name[length] != '.' && name[length] != '[') continue;
    const auto alias = schema.aliases.find(name.substr(0, length));
    if (alias != schema.aliases.end()) return alias->second + name.substr(length);
  }
  return name;
}

} // namespace

SignalNames::SignalNames(const LogSchema& schema) {
  for (std::size_t c = 0; c < schema.channels.size(); ++c)
    for (std::size_t f = 0; f < schema.channels[c].fields.size(); ++f) {
      names_.push_back(schema.channels[c].path + "." + schema.channels[c].fields[f].name);
      places_.emplace(names_.back(), std::pair(c, f));
    }
}

std::optional<SignalPlace> SignalNames::find(const LogSchema& schema, const std::string& name) const {
  for (const std::string& path : {name, without_alias(schema, name)}) {
    for (std::size_t length = path.size(); length > 0; --length) {
      if (length < path.size() && path[length] != '.' && path[length] != '[') continue;
      const auto whole = places_.find(path.substr(0, length));
      if (whole == places_.end()) continue;
      const auto [channel, field] = whole->second;
      const ElementRange elements = elements_named(schema.channels[channel].fields[field], path.substr(length));
      if (elements.count > 0) return SignalPlace{channel, field, elements};
    }
  }
  return std::nullopt;
}

std::string SignalNames::nearest_to(const std::string& name) const {
  if (std::string near = nearest(name, names_); !near.empty()) return near;
  std::set<std::string> paths;
  for (const std::string& each : names_)
    for (std::size_t dot = each.find('.'); dot != std::string::npos; dot = each.find('.', dot + 1))
      paths.insert(each.substr(0, dot));
  return nearest(name, {paths.begin(), paths.end()});
}

} // namespace hilda::log

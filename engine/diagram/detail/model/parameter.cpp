// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/detail/model/parameter.h"

#include <algorithm>
#include <utility>

namespace hilda::diagram {
namespace {

constexpr std::size_t most_origins = 8;
constexpr const char* period_name = "period";

} // namespace

ScopeIndex ParameterTable::open_scope(ScopeIndex around, ScopeIndex outside) {
  const ScopeIndex opened = scopes_.next();
  scopes_.push_back({around, outside});
  return opened;
}

ParameterIndex ParameterTable::add(ScopeIndex scope, NamedParameter parameter) {
  const ParameterIndex place = all_.next();
  if (!scopes_[scope].names.try_emplace(parameter.given.name, place).second) return {};
  all_.push_back(std::move(parameter));
  return place;
}

ParameterIndex ParameterTable::find(ScopeIndex scope, std::string_view name) const {
  for (ScopeIndex at = name == period_name && !scopes_.empty() ? diagram : scope; at.valid(); at = scopes_[at].around) {
    const ParameterScope& here = scopes_[at];
    if (const auto found = here.names.find(name); found != here.names.end()) return found->second;
  }
  return {};
}

ScopeIndex ParameterTable::outside_of(ParameterIndex parameter) const {
  for (const ParameterScope& scope : scopes_)
    if (const auto found = scope.names.find((*this)[parameter].given.name);
        found != scope.names.end() && found->second == parameter)
      return scope.outside;
  return diagram;
}

std::size_t ParameterTable::visible(ScopeIndex scope) const {
  std::size_t count = 0;
  for (ScopeIndex at = scope; at.valid(); at = scopes_[at].around) count += scopes_[at].names.size();
  return count;
}

std::vector<std::string> ParameterTable::names(ScopeIndex scope) const {
  std::vector<std::string> all;
  std::vector<ParameterIndex> here;
  for (ScopeIndex at = scope; at.valid(); at = scopes_[at].around) {
    here.clear();
    for (const auto& [name, parameter] : scopes_[at].names) here.push_back(parameter);
    std::sort(here.begin(), here.end());
    for (const ParameterIndex parameter : here) all.push_back((*this)[parameter].given.name);
  }
  if (scope != diagram) all.emplace_back(period_name);
  return all;
}

std::vector<Location> ParameterTable::origins(std::string_view text, ScopeIndex scope) const {
  std::vector<Location> places;
  std::vector<ParameterIndex> found;
  const auto collect = [&](std::string_view in, ScopeIndex seen_from) {
    if (in.find("${") == std::string_view::npos) return;
    for (const std::string& name : references(in))
      if (const ParameterIndex one = find(seen_from, name); one.valid()) found.push_back(one);
  };
  collect(text, scope);
  for (std::size_t i = 0; i < found.size() && i < most_origins; ++i) {
    const NamedParameter& parameter = (*this)[found[i]];
    places.push_back(parameter.given.where);
    collect(parameter.given.text, parameter.scope);
  }
  return places;
}

} // namespace hilda::diagram

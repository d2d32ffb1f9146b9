#include "engine/model/parameter.h"

#include <algorithm>
#include <utility>

namespace hilda {
namespace {

constexpr std::size_t most_origins = 8;
constexpr const char* period = "period";

} // namespace

int ParameterTable::open_scope(int around, int outside) {
  scopes_.push_back({around, outside});
  return static_cast<int>(scopes_.size()) - 1;
}

int ParameterTable::add(int scope, NamedParameter parameter) {
  const auto place = static_cast<int>(all_.size());
  if (!scopes_[static_cast<std::size_t>(scope)].names.try_emplace(parameter.given.name, place).second) return -1;
  all_.push_back(std::move(parameter));
  return place;
}

int ParameterTable::find(int scope, std::string_view name) const {
  for (int at = name == period && !scopes_.empty() ? 0 : scope; at >= 0;
       at = scopes_[static_cast<std::size_t>(at)].around) {
    const ParameterScope& here = scopes_[static_cast<std::size_t>(at)];
    if (const auto found = here.names.find(name); found != here.names.end()) return found->second;
  }
  return -1;
}

int ParameterTable::outside_of(int parameter) const {
  for (const ParameterScope& scope : scopes_)
    if (const auto found = scope.names.find((*this)[parameter].given.name);
        found != scope.names.end() && found->second == parameter)
      return scope.outside;
  return 0;
}

std::size_t ParameterTable::visible(int scope) const {
  std::size_t count = 0;
  for (int at = scope; at >= 0; at = scopes_[static_cast<std::size_t>(at)].around)
    count += scopes_[static_cast<std::size_t>(at)].names.size();
  return count;
}

std::vector<std::string> ParameterTable::names(int scope) const {
  std::vector<std::string> all;
  std::vector<int> here;
  for (int at = scope; at >= 0; at = scopes_[static_cast<std::size_t>(at)].around) {
    here.clear();
    for (const auto& [name, parameter] : scopes_[static_cast<std::size_t>(at)].names) here.push_back(parameter);
    std::sort(here.begin(), here.end());
    for (const int parameter : here) all.push_back((*this)[parameter].given.name);
  }
  if (scope != 0) all.emplace_back(period);
  return all;
}

std::vector<Location> ParameterTable::origins(std::string_view text, int scope) const {
  std::vector<Location> places;
  std::vector<int> found;
  const auto collect = [&](std::string_view in, int seen_from) {
    if (in.find("${") == std::string_view::npos) return;
    for (const std::string& name : references(in))
      if (const int one = find(seen_from, name); one >= 0) found.push_back(one);
  };
  collect(text, scope);
  for (std::size_t i = 0; i < found.size() && i < most_origins; ++i) {
    const NamedParameter& parameter = (*this)[found[i]];
    places.push_back(parameter.given.where);
    collect(parameter.given.text, parameter.scope);
  }
  return places;
}

} // namespace hilda

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/parameter_dependencies.h"

#include <algorithm>

namespace hilda::diagram {

template <class Note> void ParameterDependencies::each_named(const std::string& text, ScopeIndex scope, Note note) {
  if (text.find("${") == std::string::npos) return;
  for (const std::string& name : references(text))
    if (const ParameterIndex named = system_.parameters.find(scope, name); named.valid()) note(users_[named]);
}

ParameterDependencies::ParameterDependencies(const System& system) : system_(system), users_(system.parameters.size()) {
  const ParameterTable& table = system.parameters;
  for (const ParameterIndex p : table.indices())
    each_named(table[p].given.text, table[p].scope, [p](Users& users) { users.parameters.push_back(p); });
  for (const BlockIndex b : system.blocks.indices()) {
    const std::vector<ParameterValue>& parameters = system.blocks[b].parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      each_named(parameters[i].text, parameters[i].scope, [b, i](Users& users) { users.blocks.push_back({b, i}); });
  }
  for (std::size_t s = 0; s < table.settled().size(); ++s)
    each_named(table.settled()[s].text, table.settled()[s].scope, [s](Users& users) { users.settled.push_back(s); });
}

/// Each behind those that it names: where several are ready, in the order in which they became so.
std::vector<ParameterIndex> ParameterDependencies::in_order(const std::vector<ParameterIndex>& parameters) const {
  Indexed<ParameterIndex, bool> reached(users_.size(), false);
  Indexed<ParameterIndex, int> named(users_.size(), 0); // by others that are reached
  std::vector<ParameterIndex> open = parameters, all;
  while (!open.empty()) {
    const ParameterIndex parameter = open.back();
    open.pop_back();
    if (reached[parameter]) continue;
    reached[parameter] = true;
    for (const ParameterIndex user : users_[parameter].parameters) {
      ++named[user];
      open.push_back(user);
    }
  }
  for (const ParameterIndex parameter : parameters)
    if (named[parameter] == 0 && std::find(all.begin(), all.end(), parameter) == all.end()) all.push_back(parameter);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const ParameterIndex user : users_[all[i]].parameters)
      if (--named[user] == 0) all.push_back(user);
  return all;
}

Dependents ParameterDependencies::of(const std::vector<ParameterIndex>& parameters) const {
  Dependents all;
  all.parameters = in_order(parameters);
  for (const ParameterIndex parameter : all.parameters) {
    const Users& users = users_[parameter];
    all.blocks.insert(all.blocks.end(), users.blocks.begin(), users.blocks.end());
    all.settled.insert(all.settled.end(), users.settled.begin(), users.settled.end());
  }
  std::sort(all.blocks.begin(), all.blocks.end());
  all.blocks.erase(std::unique(all.blocks.begin(), all.blocks.end()), all.blocks.end());
  std::sort(all.settled.begin(), all.settled.end());
  all.settled.erase(std::unique(all.settled.begin(), all.settled.end()), all.settled.end());
  return all;
}

} // namespace hilda::diagram

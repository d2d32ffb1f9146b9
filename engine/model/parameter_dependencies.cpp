#include "engine/model/parameter_dependencies.h"

#include <algorithm>

namespace hilda {

template <class Note> void ParameterDependencies::each_named(const std::string& text, int scope, Note note) {
  if (text.find("${") == std::string::npos) return;
  for (const std::string& name : references(text))
    if (const int named = system_.parameters.find(scope, name); named >= 0)
      note(users_[static_cast<std::size_t>(named)]);
}

ParameterDependencies::ParameterDependencies(const System& system) : system_(system), users_(system.parameters.size()) {
  const ParameterTable& table = system.parameters;
  for (int p = 0; p < static_cast<int>(table.size()); ++p)
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
std::vector<int> ParameterDependencies::in_order(const std::vector<int>& parameters) const {
  const auto users = [&](int parameter) -> const std::vector<int>& {
    return users_[static_cast<std::size_t>(parameter)].parameters;
  };
  std::vector<bool> reached(users_.size(), false);
  std::vector<int> named(users_.size(), 0); // by others that are reached
  std::vector<int> open = parameters, all;
  while (!open.empty()) {
    const int parameter = open.back();
    open.pop_back();
    if (reached[static_cast<std::size_t>(parameter)]) continue;
    reached[static_cast<std::size_t>(parameter)] = true;
    for (const int user : users(parameter)) {
      ++named[static_cast<std::size_t>(user)];
      open.push_back(user);
    }
  }
  for (const int parameter : parameters)
    if (named[static_cast<std::size_t>(parameter)] == 0 && std::find(all.begin(), all.end(), parameter) == all.end())
      all.push_back(parameter);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const int user : users(all[i]))
      if (--named[static_cast<std::size_t>(user)] == 0) all.push_back(user);
  return all;
}

Dependents ParameterDependencies::of(const std::vector<int>& parameters) const {
  Dependents all;
  all.parameters = in_order(parameters);
  for (const int parameter : all.parameters) {
    const Users& users = users_[static_cast<std::size_t>(parameter)];
    all.blocks.insert(all.blocks.end(), users.blocks.begin(), users.blocks.end());
    all.settled.insert(all.settled.end(), users.settled.begin(), users.settled.end());
  }
  std::sort(all.blocks.begin(), all.blocks.end());
  all.blocks.erase(std::unique(all.blocks.begin(), all.blocks.end()), all.blocks.end());
  std::sort(all.settled.begin(), all.settled.end());
  all.settled.erase(std::unique(all.settled.begin(), all.settled.end()), all.settled.end());
  return all;
}

} // namespace hilda

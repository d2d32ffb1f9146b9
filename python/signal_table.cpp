#include "python/signal_table.h"

#include "engine/model/diagnostic.h"
#include "engine/observe/signal_pattern.h"

namespace hilda::python {

void SignalTable::add(const std::string& name, LogField field) {
  places_.emplace(name, names_.size());
  names_.push_back(name);
  fields_.push_back(std::move(field));
}

std::optional<SignalTable::Place> SignalTable::find_real(const std::string& name) const {
  for (std::size_t end = name.size(); end > 0; --end) { // the longest name that exists counts
    if (end < name.size() && name[end] != '.' && name[end] != '[') continue;
    const auto found = places_.find(name.substr(0, end));
    if (found == places_.end()) continue;
    const ElementRange part = elements_named(fields_[found->second], name.substr(end));
    if (part.count > 0) return Place{found->second, part};
  }
  return std::nullopt;
}

std::optional<SignalTable::Place> SignalTable::find(const std::string& name) const {
  if (const auto place = find_real(name)) return place;
  for (std::size_t end = name.size(); end > 0; --end) {
    if (end < name.size() && name[end] != '.' && name[end] != '[') continue;
    if (const auto alias = aliases_.find(name.substr(0, end)); alias != aliases_.end())
      return find_real(alias->second + name.substr(end));
  }
  return std::nullopt;
}

std::vector<std::size_t> SignalTable::matching(const std::string& word) const {
  if (const auto place = find(word)) return {place->signal};
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (pattern_means(word, names_[i])) found.push_back(i);
  return found;
}

std::string SignalTable::missing(const std::string& name) const {
  std::vector<std::string> candidates = names_;
  for (const auto& [alias, signal] : aliases_) candidates.push_back(alias);
  const std::string near = nearest(name, candidates);
  return "there is no signal '" + name + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?");
}

} // namespace hilda::python

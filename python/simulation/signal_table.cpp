// SPDX-License-Identifier: BSD-3-Clause
#include "python/simulation/signal_table.h"

#include "engine/base/diagnostic.h"
#include "engine/log/signal_pattern.h"

#include <algorithm>

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
  if (name.find('.') == std::string::npos) // a path, of a block or subsystem
    for (const std::string& signal : names_) candidates.push_back(signal.substr(0, signal.find('.')));
  // A part of a signal that exists: "rig.wrench.forse.x". Of wide ones only as many as a person would look through.
  for (std::size_t end = name.size(); end > 0; --end) {
    if (name[end] != '.' && name[end] != '[') continue;
    const std::string head = name.substr(0, end);
    const std::optional<Place> whole = find(head);
    if (!whole) continue;
    constexpr std::size_t most = 64;
    const LogField& of = fields_[whole->signal];
    if (whole->part.count == 1)
      return "there is no signal '" + name + "': '" + head + "' is a single number and has no parts";
    for (std::size_t i = 0; i < std::min(whole->part.count, most); ++i) {
      std::string suffix = element_suffix(of, whole->part.first + i);
      candidates.push_back(names_[whole->signal] + suffix);
      candidates.push_back(head + suffix);
      if (const std::size_t dot = suffix.rfind('.'); dot != std::string::npos && dot > 0)
        candidates.push_back(head + suffix.substr(0, dot));
    }
    const std::string near = nearest(name, candidates);
    return "'" + head + "' has no part '" + name.substr(end) + "'; " +
           (near.empty() ? "its elements are '" + head + element_suffix(of, whole->part.first) + "' to '" + head +
                               element_suffix(of, whole->part.first + whole->part.count - 1) + "'"
                         : "did you mean '" + near + "'?");
  }
  const std::string near = nearest(name, candidates);
  if (near == name) return "'" + name + "' is a block or a subsystem and no signal: name one of its signals";
  return "there is no signal '" + name + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?");
}

} // namespace hilda::python

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/folding.h"

#include "engine/base/error.h"

#include <map>
#include <tuple>

namespace hilda::base {
namespace {

constexpr std::size_t kept = 3;         // of findings that are alike
constexpr std::size_t most_listed = 20; // names of those that are not kept

/// The content of quotes, and all that is between.
struct Phrase {
  std::string words;
  std::vector<std::string> names;
};

Phrase phrase_of(const std::string& text) {
  Phrase phrase;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != '\'') continue;
    const std::string part = text.substr(begin, i - begin);
    if (quoted && i < text.size())
      phrase.names.push_back(part);
    else
      phrase.words += part + '\'';
    quoted = !quoted;
    begin = i + 1;
  }
  return phrase;
}

/// The first name of `other` that `first` does not have at its place.
std::string differing(const Phrase& first, const Phrase& other) {
  for (std::size_t i = 0; i < other.names.size() && i < first.names.size(); ++i)
    if (other.names[i] != first.names[i]) return other.names[i];
  return {};
}

struct Group {
  std::size_t last_kept = 0; ///< in the result
  std::size_t found = 0;
  Phrase first;
  std::vector<std::string> others;
};

std::string others_text(const Group& group) {
  std::string text = "and " + std::to_string(group.found - kept) + " more like it: ";
  for (std::size_t i = 0; i < group.others.size(); ++i) text += (i > 0 ? ", " : "") + in_quotes(group.others[i]);
  const std::size_t rest = group.found - kept - group.others.size();
  return rest == 0 ? text : text + " and " + std::to_string(rest) + " others";
}

} // namespace

std::vector<Diagnostic> folded(const std::vector<Diagnostic>& sorted) {
  using Key = std::tuple<std::string, int, std::string, std::string>;
  std::map<Key, Group> groups;
  std::vector<Diagnostic> result;
  for (const Diagnostic& each : sorted) {
    Phrase phrase = phrase_of(each.what);
    Group& group = groups[{each.file, each.line, each.code, phrase.words}];
    if (++group.found <= kept) {
      group.last_kept = result.size();
      if (group.found == 1) group.first = std::move(phrase);
      result.push_back(each);
    } else if (group.others.size() < most_listed) {
      group.others.push_back(differing(group.first, phrase));
    }
  }
  for (const auto& [key, group] : groups)
    if (group.found > kept) {
      Diagnostic& last = result[group.last_kept];
      last.notes.push_back({last.file, last.line, others_text(group)});
    }
  return result;
}

} // namespace hilda::base

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/spans.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::authoring {

/// Other bytes for some spans of a text; all else stays as it is.
class TextEdit {
public:
  struct Replacement {
    TextSpan where;
    std::string text;
  };

  void replace(TextSpan where, std::string text) { list_.push_back({where, std::move(text)}); }
  void insert(std::size_t at, std::string text) { replace({at, at}, std::move(text)); }
  void remove(TextSpan where) { replace(where, {}); }
  void add(const TextEdit& other) { list_.insert(list_.end(), other.list_.begin(), other.list_.end()); }
  bool empty() const { return list_.empty(); }

  /// Puts them into the text's order; text that two removals cover is removed once. False where two contradict each
  /// other.
  bool settle();
  /// In order, none overlapping another, after `settle`.
  const std::vector<Replacement>& replacements() const { return list_; }

  /// The text with the edit made.
  std::string applied(const std::string& text) const;
  /// What turns the edited text into `text` again.
  TextEdit inverse(const std::string& text) const;

private:
  std::vector<Replacement> list_;
};

} // namespace hilda::authoring

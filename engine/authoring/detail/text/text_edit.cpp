// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/text/text_edit.h"

#include <algorithm>

namespace hilda::authoring {

bool TextEdit::settle() {
  std::stable_sort(list_.begin(), list_.end(), [](const Replacement& a, const Replacement& b) {
    if (a.where.begin != b.where.begin) return a.where.begin < b.where.begin;
    return a.where.end == a.where.begin && b.where.end != b.where.begin; // an insertion comes first
  });
  std::vector<Replacement> kept;
  for (Replacement& each : list_) {
    if (kept.empty() || each.where.begin >= kept.back().where.end) {
      kept.push_back(std::move(each));
      continue;
    }
    Replacement& before = kept.back();
    if (!before.text.empty() || !each.text.empty()) return false;
    before.where.end = std::max(before.where.end, each.where.end);
  }
  list_ = std::move(kept);
  return true;
}

std::string TextEdit::applied(const std::string& text) const {
  std::string made;
  std::size_t at = 0;
  for (const Replacement& each : list_) {
    made.append(text, at, each.where.begin - at);
    made += each.text;
    at = each.where.end;
  }
  return made.append(text, at);
}

TextEdit TextEdit::inverse(const std::string& text) const {
  TextEdit back;
  std::size_t grown = 0, shrunk = 0; // so far
  for (const Replacement& each : list_) {
    const std::size_t begin = each.where.begin + grown - shrunk;
    back.replace({begin, begin + each.text.size()}, text.substr(each.where.begin, each.where.end - each.where.begin));
    grown += each.text.size();
    shrunk += each.where.end - each.where.begin;
  }
  return back;
}

} // namespace hilda::authoring

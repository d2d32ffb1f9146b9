// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/merging.h"

#include "engine/authoring/unified_diff.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace hilda::authoring {
namespace {

bool same_change(const ChangedLines& a, const ChangedLines& b) {
  return a.begin == b.begin && a.end == b.end && a.text == b.text;
}

/// Lines that the one changes lie in what the other changes; to put something between two lines disturbs no one who
/// changes the lines next to it.
bool contradict(const ChangedLines& a, const ChangedLines& b) { return a.begin < b.end && b.begin < a.end; }

} // namespace

std::optional<std::string> merged_text(const std::string& base, const std::string& mine, const std::string& theirs) {
  std::vector<ChangedLines> all = changed_lines(base, theirs);
  for (const ChangedLines& own : changed_lines(base, mine)) {
    if (std::any_of(all.begin(), all.end(), [&own](const auto& other) { return same_change(own, other); })) continue;
    if (std::any_of(all.begin(), all.end(), [&own](const auto& other) { return contradict(own, other); }))
      return std::nullopt;
    all.push_back(own);
  }
  // an insertion comes before what changes the line behind it
  std::stable_sort(all.begin(), all.end(), [](const ChangedLines& a, const ChangedLines& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  const std::vector<std::string_view> lines = text_lines(base);
  std::string text;
  std::size_t at = 0;
  for (const ChangedLines& each : all) {
    for (; at < each.begin; ++at) text += lines[at];
    text += each.text;
    at = std::max(at, each.end);
  }
  for (; at < lines.size(); ++at) text += lines[at];
  return text;
}

} // namespace hilda::authoring

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/unified_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hilda::authoring {
namespace {

using Lines = std::vector<std::string_view>;

/// One line of the result: ' ' both have it, '-' the first alone, '+' the second alone.
struct DiffStep {
  char sign;
  std::string_view line;
};

/// The longest common subsequence of what lies between the equal beginnings and ends; too long for that, all of it
/// is replaced.
void middle(const Lines& a, const Lines& b, std::vector<DiffStep>& steps) {
  constexpr std::size_t most = 16'000'000; // entries of the table
  const std::size_t rows = a.size() + 1, columns = b.size() + 1;
  if (rows > most / columns) {
    for (const std::string_view line : a) steps.push_back({'-', line});
    for (const std::string_view line : b) steps.push_back({'+', line});
    return;
  }
  std::vector<std::uint32_t> common(rows * columns); // of what begins at both
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i * columns + j] = a[i] == b[j] ? common[(i + 1) * columns + j + 1] + 1
                                             : std::max(common[(i + 1) * columns + j], common[i * columns + j + 1]);
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j])
      steps.push_back({' ', a[i]}), ++i, ++j;
    else if (j == b.size() || (i < a.size() && common[(i + 1) * columns + j] >= common[i * columns + j + 1]))
      steps.push_back({'-', a[i++]});
    else
      steps.push_back({'+', b[j++]});
  }
}

std::vector<DiffStep> steps_between(const Lines& a, const Lines& b) {
  std::size_t head = 0, tail = 0;
  while (head < std::min(a.size(), b.size()) && a[head] == b[head]) ++head;
  while (tail < std::min(a.size(), b.size()) - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  std::vector<DiffStep> steps;
  for (std::size_t i = 0; i < head; ++i) steps.push_back({' ', a[i]});
  const auto part = [&](const Lines& of) {
    return Lines(of.begin() + static_cast<std::ptrdiff_t>(head), of.end() - static_cast<std::ptrdiff_t>(tail));
  };
  middle(part(a), part(b), steps);
  for (std::size_t i = a.size() - tail; i < a.size(); ++i) steps.push_back({' ', a[i]});
  return steps;
}

/// "12,3", or "12" for one line, or the line before for none.
std::string range(std::size_t begin, std::size_t count) {
  if (count == 1) return std::to_string(begin + 1);
  return std::to_string(count == 0 ? begin : begin + 1) + "," + std::to_string(count);
}

} // namespace

std::vector<std::string_view> text_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::string unified_diff(const std::string& before, const std::string& after, const std::string& before_name,
                         const std::string& after_name) {
  if (before == after) return {};
  constexpr std::size_t around = 3;
  const std::vector<DiffStep> steps = steps_between(text_lines(before), text_lines(after));
  std::string out = "--- " + before_name + "\n+++ " + after_name + "\n";
  std::size_t at = 0, old_line = 0, new_line = 0;
  while (at < steps.size()) {
    const std::size_t gap = at;
    while (at < steps.size() && steps[at].sign == ' ') ++at;
    if (at == steps.size()) break;
    const std::size_t begin = std::max(gap, at - std::min(at, around));
    old_line += begin - gap, new_line += begin - gap;
    std::size_t end = at; // behind the last change of this hunk
    for (std::size_t i = at; i < steps.size() && i - end <= 2 * around; ++i)
      if (steps[i].sign != ' ') end = i + 1;
    const std::size_t stop = std::min(end + around, steps.size());
    std::size_t old_count = 0, new_count = 0;
    std::string text;
    for (std::size_t i = begin; i < stop; ++i) {
      old_count += steps[i].sign != '+' ? 1 : 0;
      new_count += steps[i].sign != '-' ? 1 : 0;
      text += steps[i].sign + std::string(steps[i].line);
      if (!steps[i].line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
    }
    out += "@@ -" + range(old_line, old_count) + " +" + range(new_line, new_count) + " @@\n" + text;
    old_line += old_count, new_line += new_count;
    at = stop;
  }
  return out;
}

std::vector<ChangedLines> changed_lines(const std::string& before, const std::string& after) {
  std::vector<ChangedLines> all;
  std::size_t line = 0;
  bool within = false;
  for (const DiffStep& each : steps_between(text_lines(before), text_lines(after))) {
    if (each.sign != ' ' && !within) all.push_back({line, line, {}});
    within = each.sign != ' ';
    if (each.sign == '+') all.back().text += each.line;
    if (each.sign != '+') ++line;
    if (each.sign == '-') all.back().end = line;
  }
  return all;
}

} // namespace hilda::authoring

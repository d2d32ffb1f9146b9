// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/diagnostic.h"

#include "engine/base/folding.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace hilda::base {
namespace {

std::string place(const std::string& file, int line) {
  if (file.empty()) return "";
  return line > 0 ? file + ":" + std::to_string(line) + ": " : file + ": ";
}

std::string name_of(const Location& where) { return where.file != nullptr ? *where.file : std::string(); }

/// With small letters for ASCII capitals, whatever the locale.
std::string lower(std::string text) {
  for (char& each : text)
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
  return text;
}

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours cost one each.
/// Gives `limit + 1` as soon as the distance is known to be larger than `limit`.
std::size_t distance(const std::string& a, const std::string& b, std::size_t limit) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit + 1) return limit + 1;
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

} // namespace

std::string Diagnostic::text() const {
  std::string out = place(file, line) + (severity == Severity::error ? "error[" : "warning[") + code + "]: " + what;
  for (const Line& note : notes) out += "\n  " + place(note.file, note.line) + note.text;
  if (!help.empty()) out += "\n  help: " + help;
  return out;
}

void Diagnostics::error(const char* code, Location where, std::string what, std::string help, std::vector<Note> notes) {
  add(Diagnostic::Severity::error, code, where, std::move(what), std::move(help), std::move(notes));
  ++errors_;
}

void Diagnostics::take(const Diagnostics& others, bool soften) {
  for (Diagnostic found : others.all_) {
    if (soften) found.severity = Diagnostic::Severity::warning;
    if (found.severity == Diagnostic::Severity::error) ++errors_;
    all_.push_back(std::move(found));
  }
}

void Diagnostics::warning(const char* code, Location where, std::string what, std::string help,
                          std::vector<Note> notes) {
  add(Diagnostic::Severity::warning, code, where, std::move(what), std::move(help), std::move(notes));
}

void Diagnostics::add(Diagnostic::Severity severity, const char* code, Location where, std::string what,
                      std::string help, std::vector<Note> notes) {
  Diagnostic found{.severity = severity,
                   .code = code,
                   .file = name_of(where),
                   .line = where.line,
                   .what = std::move(what),
                   .help = std::move(help)};
  found.notes.reserve(notes.size());
  for (Note& note : notes) found.notes.push_back({name_of(note.where), note.where.line, std::move(note.text)});
  all_.push_back(std::move(found));
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<const Diagnostic*> order;
  std::set<std::tuple<std::string, int, std::string, std::string>> seen;
  for (const Diagnostic& found : all_)
    if (seen.emplace(found.file, found.line, found.code, found.what).second) order.push_back(&found);
  std::stable_sort(order.begin(), order.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return std::tie(a->file, a->line) < std::tie(b->file, b->line);
  });
  std::vector<Diagnostic> result;
  result.reserve(order.size());
  for (const Diagnostic* found : order) result.push_back(*found);
  return result;
}

std::string Diagnostics::text() const {
  std::string out;
  for (const Diagnostic& found : folded(sorted())) out += found.text() + "\n";
  return out;
}

std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
  // No one misspells a name of this length; a hostile one should not cost time.
  constexpr std::size_t longest = 200;
  if (name.empty() || name.size() > longest) return "";
  std::size_t limit = std::max<std::size_t>(1, (name.size() + 1) / 3);
  // What only another case of letters sets apart is meant, however short it is.
  for (const std::string& candidate : candidates)
    if (lower(candidate) == lower(name)) return candidate;
  const std::string* best = nullptr;
  for (const std::string& candidate : candidates) {
    const std::size_t edits = distance(name, candidate, limit);
    // A candidate of which no letter is left is not a slip.
    if (edits > limit || edits >= std::max(name.size(), candidate.size())) continue;
    if (best != nullptr && edits == limit) continue;
    best = &candidate;
    limit = edits;
    if (limit == 0) break;
  }
  return best != nullptr ? *best : std::string();
}

} // namespace hilda::base

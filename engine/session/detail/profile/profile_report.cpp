// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/profile_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hilda::session {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_blocks = 20, most_groups = 8;

std::string in_words(double seconds) { return duration_in_words(std::llround(seconds * 1e9)); }

std::string percent(double part, double whole) { return fmt::format("{:.1f} %", whole > 0 ? 100 * part / whole : 0); }

void add_steps(Json& to, const LatencyHistogram& steps) {
  to["step_p50"] = 1e-9 * static_cast<double>(steps.percentile(0.5));
  to["step_p99"] = 1e-9 * static_cast<double>(steps.percentile(0.99));
  to["step_max"] = 1e-9 * static_cast<double>(steps.max());
}

Json shares_document(const std::vector<ProfileShare>& shares, double total) {
  Json list = Json::array();
  for (const ProfileShare& each : shares) {
    Json row = {{"name", each.name}};
    if (!each.type.empty()) row["type"] = each.type;
    row["calls"] = each.calls;
    row["time"] = each.time;
    row["share"] = total > 0 ? each.time / total : 0;
    add_steps(row, each.steps);
    list.push_back(std::move(row));
  }
  return list;
}

/// Rows of cells under a head; each column as wide as its widest cell, numbers at the right.
class ProfileTable {
public:
  explicit ProfileTable(std::size_t names) : names_(names) {}

  void add(std::vector<std::string> row) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
    rows_.push_back(std::move(row));
  }
  std::string text() const {
    std::string text;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += i < names_ ? fmt::format("  {:<{}}", row[i], widths_[i]) : fmt::format("  {:>{}}", row[i], widths_[i]);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

private:
  const std::size_t names_; ///< columns that are words
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

std::string table(const char* head, const std::vector<ProfileShare>& shares, double total, std::size_t most) {
  if (shares.empty()) return {};
  const bool typed = !shares.front().type.empty();
  const auto row = [typed](std::string name, const std::string& type, std::vector<std::string> numbers) {
    std::vector<std::string> cells{std::move(name)};
    if (typed) cells.push_back(type);
    cells.insert(cells.end(), numbers.begin(), numbers.end());
    return cells;
  };
  ProfileTable made(typed ? 2 : 1);
  made.add(row(head, "type", {"calls", "time", "share", "a step, median", "p99", "most"}));
  double rest = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const ProfileShare& each = shares[i];
    if (i >= most) {
      rest += each.time;
      continue;
    }
    made.add(row(each.name, each.type,
                 {std::to_string(each.calls), in_words(each.time), percent(each.time, total),
                  duration_in_words(each.steps.percentile(0.5)), duration_in_words(each.steps.percentile(0.99)),
                  duration_in_words(each.steps.max())}));
  }
  std::string text = made.text();
  if (shares.size() > most) text += fmt::format("  and {} more: {}\n", shares.size() - most, percent(rest, total));
  return text;
}

} // namespace

Json profile_document(const ProfileFigures& figures) {
  Json document = {{"steps", figures.steps}};
  add_steps(document, figures.step);
  document["total"] = figures.total;
  document["blocks"] = shares_document(figures.blocks, figures.total);
  document["types"] = shares_document(figures.types, figures.total);
  document["subsystems"] = shares_document(figures.subsystems, figures.total);
  document["loop"] = figures.loop;
  document["log"] = figures.others;
  document["clock"] = {{"calls", figures.reads}, {"inside", figures.inside}, {"outside", figures.outside}};
  return document;
}

std::string profile_text(const ProfileFigures& figures) {
  if (figures.steps == 0) return "profile  no step was whole\n";
  std::string text =
      fmt::format("profile  {} steps, {} each at the median, {} at p99, {} at most\n", figures.steps,
                  duration_in_words(figures.step.percentile(0.5)), duration_in_words(figures.step.percentile(0.99)),
                  duration_in_words(figures.step.max()));
  text += table("block", figures.blocks, figures.total, most_blocks);
  text += table("all of a type", figures.types, figures.total, most_groups);
  text += table("all of a subsystem", figures.subsystems, figures.total, most_groups);
  text += fmt::format("  the loop itself {}, the log and other readers {}\n", percent(figures.loop, figures.total),
                      percent(figures.others, figures.total));
  text += fmt::format("  left out: {} for the clock, read around {} calls ({} ns each); blocks ran one by one for it\n",
                      in_words(static_cast<double>(figures.reads) * (figures.inside + figures.outside)), figures.reads,
                      std::llround((figures.inside + figures.outside) * 1e9));
  return text;
}

} // namespace hilda::session

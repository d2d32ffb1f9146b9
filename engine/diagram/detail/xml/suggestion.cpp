// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/suggestion.h"

#include "engine/base/diagnostic.h"
#include "engine/base/error.h"

#include <algorithm>

namespace hilda::diagram {

std::string Suggestions::near(const std::string& name, const std::vector<std::string>& candidates) {
  if (spent()) return "";
  constexpr std::size_t each = 64; // a candidate costs more than its letters
  std::size_t cost = 0;
  for (const std::string& candidate : candidates) cost += each + name.size() * candidate.size() / 2;
  left_ -= std::min(cost, left_);
  return spent() ? "" : nearest(name, candidates);
}

std::string Suggestions::help(const std::string& name, const std::vector<std::string>& candidates,
                              const std::string& otherwise) {
  constexpr std::size_t few = 60, some = 16;
  const std::string best = near(name, candidates);
  if (!best.empty()) return "did you mean " + hilda::base::in_quotes(best) + "?";
  if (candidates.empty() && spent()) return "see how it is written elsewhere";
  if (otherwise.empty() || candidates.empty()) return otherwise;
  return otherwise + ": " + listed(candidates, candidates.size() > few ? some : few);
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    if (i > 0) out += ", ";
    out += names[i].size() <= 80 ? names[i] : names[i].substr(0, 80) + "...";
  }
  if (names.size() > most) out += " and " + std::to_string(names.size() - most) + " more";
  return out;
}

} // namespace hilda::diagram

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hilda::diagram {

/// Near misses for the help of a diagnostic. A hostile file with many wrong and long names among many right ones costs
/// no more than a fixed number of compared letters; beyond it there are no suggestions.
class Suggestions {
public:
  /// "did you mean 'lead'?" where a candidate is near, else `otherwise` and the candidates, cut where they are
  /// many: "blocks here: a, b, c and 12 more". Empty where there is nothing to say.
  std::string help(const std::string& name, const std::vector<std::string>& candidates, const std::string& otherwise);
  /// The near miss alone, or empty.
  std::string near(const std::string& name, const std::vector<std::string>& candidates);

  /// Are there no more? Then it is useless to gather candidates.
  bool spent() const { return left_ == 0; }

private:
  std::size_t left_ = 200'000'000; ///< letters to compare
};

/// "a, b, c", cut after `most` with the number of those left out.
std::string listed(const std::vector<std::string>& names, std::size_t most = 16);

} // namespace hilda::diagram

// SPDX-License-Identifier: BSD-3-Clause
// Samples of several draws at once: latin hypercubes and Sobol's sequence.

#include "engine/study/detail/written/design.h"
#include "engine/study/detail/written/mix.h"

#include <boost/random/sobol.hpp>
#include <utility>

namespace hilda::study {
namespace {

/// One number in each of `count` equal parts of (0, 1), the parts in a drawn order.
std::vector<double> latin(std::uint64_t seed, const std::string& path, std::int64_t count) {
  std::vector<double> parts;
  for (std::int64_t i = 0; i < count; ++i) parts.push_back(static_cast<double>(i));
  const auto word = [&](const char* what, std::int64_t i) {
    return Mix().add(seed).add(path).add(what).add(static_cast<std::uint64_t>(i)).word();
  };
  for (std::int64_t i = count - 1; i > 0; --i)
    std::swap(parts[static_cast<std::size_t>(i)],
              parts[static_cast<std::size_t>(word("order", i) % static_cast<std::uint64_t>(i + 1))]);
  for (std::int64_t i = 0; i < count; ++i) {
    double& part = parts[static_cast<std::size_t>(i)];
    part = (part + unit_interval(word("place", i))) / static_cast<double>(count);
  }
  return parts;
}

} // namespace

void Design::prepare_samples() {
  even_.resize(study_.draws.size());
  std::vector<std::size_t> together;
  for (std::size_t d = 0; d < study_.draws.size(); ++d) {
    const StudyDraw& draw = study_.draws[d];
    if (draw.kind == StudyDraw::Kind::repeat || draw.count == 0) continue;
    if (draw.sampling == StudyDraw::Sampling::latin) even_[d] = latin(study_.seed, draw.path, draw.count);
    if (draw.sampling == StudyDraw::Sampling::sobol) together.push_back(d);
  }
  if (together.empty()) return;
  // Shifted by a number a draw, as every seed should have its own points and none lie at 0.
  boost::random::sobol_engine<std::uint64_t, 64> sobol(together.size());
  for (std::int64_t i = 0; i < samples_; ++i)
    for (const std::size_t d : together) {
      const std::uint64_t shift = Mix().add(study_.seed).add(study_.draws[d].path).add("shift").word();
      // The sequence begins at 0, which boost leaves out; without it 2^m points are not even (Owen 2020).
      even_[d].push_back(unit_interval((i == 0 ? 0 : sobol()) ^ shift));
    }
}

} // namespace hilda::study

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/figure.h"

#include "tools/graphics/detail/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hilda::graphics::plot {
namespace {

/// The samples that are kept of one column.
struct Bucket {
  std::size_t first = 0, least = 0, greatest = 0, last = 0;
  bool empty = true;

  void take(const std::vector<double>& values, std::size_t i) {
    if (empty) first = least = greatest = i;
    empty = false;
    if (values[i] < values[least]) least = i;
    if (values[i] > values[greatest]) greatest = i;
    last = i;
  }
};

void flush(Bucket& bucket, const Curve& curve, std::vector<double>& line) {
  if (bucket.empty) return;
  const auto [one, other] = std::minmax(bucket.least, bucket.greatest);
  std::size_t before = static_cast<std::size_t>(-1);
  for (const std::size_t i : {bucket.first, one, other, bucket.last}) {
    if (i == before) continue;
    line.insert(line.end(), {(*curve.time)[i], curve.values[i]});
    before = i;
  }
  bucket = {};
}

/// The same points, each level up to the next one. The last lasts as long as every other.
std::vector<double> stepped(const std::vector<double>& line, double held, double to) {
  std::vector<double> steps;
  for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
    if (i > 0) steps.insert(steps.end(), {line[i], line[i - 1]});
    steps.insert(steps.end(), {line[i], line[i + 1]});
  }
  if (!line.empty())
    steps.insert(steps.end(),
                 {std::max(line[line.size() - 2], std::min(to, line[line.size() - 2] + held)), line.back()});
  return steps;
}

} // namespace

std::vector<std::vector<double>> pieces(const Curve& curve) {
  std::vector<std::vector<double>> lines(1);
  for (std::size_t i = 0; i < std::min(curve.time->size(), curve.values.size()); ++i) {
    const double across = (*curve.time)[i], up = curve.values[i];
    if (drawable(across) && drawable(up))
      lines.back().insert(lines.back().end(), {across, up});
    else if (!lines.back().empty())
      lines.emplace_back();
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

std::vector<std::vector<double>> decimated(const Curve& curve, double from, double to, int columns) {
  const std::vector<double>& time = *curve.time;
  const std::size_t count = std::min(time.size(), curve.values.size());
  std::vector<std::vector<double>> lines(1);
  Bucket bucket;
  double column = -1;
  // one sample beyond either end, so that the line reaches the axes
  const auto begin = std::lower_bound(time.begin(), time.end(), from) - time.begin();
  for (auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(begin - 1, 0)); i < count; ++i) {
    const double at = std::floor((time[i] - from) / (to - from) * columns);
    const bool apart = curve.gap > 0 && i > 0 && time[i] - time[i - 1] > curve.gap;
    if (at != column || apart || std::isnan(curve.values[i])) flush(bucket, curve, lines.back());
    column = at;
    if (apart && !lines.back().empty()) lines.emplace_back();
    if (std::isnan(curve.values[i])) {
      if (!lines.back().empty()) lines.emplace_back();
    } else if (drawable(curve.values[i])) {
      bucket.take(curve.values, i);
    }
    if (time[i] > to) break;
  }
  flush(bucket, curve, lines.back());
  if (lines.back().empty()) lines.pop_back();
  if (curve.held > 0)
    for (std::vector<double>& line : lines) line = stepped(line, curve.held, to);
  return lines;
}

} // namespace hilda::graphics::plot

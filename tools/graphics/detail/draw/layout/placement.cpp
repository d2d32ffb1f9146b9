// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/layout/layout.h"
#include "tools/graphics/detail/draw/layout/settling.h"
#include "tools/graphics/svg.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hilda::graphics::draw {
namespace {

constexpr double symbol_gap = 30, least_gap = 48, band_gap = 48, track = 6;
constexpr double line_crossing_cost = 40; ///< of straight lines, in px of detour

double snapped(double length) { return std::round(length / grid) * grid; }

/// Heights for a stack of things in a given order, as near as can be to where each needs to be (isotonic regression).
std::vector<double> stacked(const std::vector<double>& wanted, const std::vector<double>& weight,
                            const std::vector<double>& height) {
  struct Pool {
    double sum, weight;
    std::size_t count;
  };
  std::vector<Pool> pools;
  double offset = 0;
  std::vector<double> offsets;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    offsets.push_back(offset);
    pools.push_back({(wanted[i] - offset) * weight[i], weight[i], 1});
    offset += height[i] + symbol_gap;
    while (pools.size() > 1) {
      Pool& last = pools.back();
      Pool& before = pools[pools.size() - 2];
      if (before.sum / before.weight <= last.sum / last.weight) break;
      before.sum += last.sum, before.weight += last.weight, before.count += last.count;
      pools.pop_back();
    }
  }
  std::vector<double> top;
  for (const Pool& pool : pools)
    for (std::size_t i = 0; i < pool.count; ++i) top.push_back(snapped(pool.sum / pool.weight) + offsets[top.size()]);
  return top;
}

class Placer {
public:
  Placer(const Sketch& sketch, const std::vector<Shape>& shapes, const Order& order, const Fold& fold, Tagged tagged)
      : sketch_(sketch), order_(order) {
    place_.fold = fold, place_.tagged = std::move(tagged), place_.shapes = shapes;
    place_.spots.resize(sketch.symbols.size());
  }

  Placement result() {
    fill_rows();
    for (std::size_t r = 0; r < rows_.size(); ++r) heights(r);
    widths();
    settle_the_rest(sketch_, order_, place_);
    return std::move(place_);
  }

private:
  using Column = std::vector<int>; ///< symbols from the top
  using Row = std::vector<Column>; ///< in the direction of the flow

  Spot& spot(int s) { return place_.spots[static_cast<std::size_t>(s)]; }
  Shape& shape(int s) { return place_.shapes[static_cast<std::size_t>(s)]; }
  bool tagged(const PortGroup& group) const {
    return place_.tagged[static_cast<std::size_t>(group.net)][static_cast<std::size_t>(group.arrow)];
  }

  void fill_rows() {
    const std::vector<int>& first = place_.fold.first;
    rows_.resize(first.size());
    for (std::size_t r = 0; r < first.size(); ++r)
      rows_[r].resize(static_cast<std::size_t>((r + 1 < first.size() ? first[r + 1] : order_.ranks) - first[r]));
    for (int s = 0; s < static_cast<int>(sketch_.symbols.size()); ++s) {
      if (order_.sink[static_cast<std::size_t>(s)]) continue;
      const int rank = order_.rank[static_cast<std::size_t>(s)];
      const Hints::Pin& pin = sketch_.symbols[static_cast<std::size_t>(s)].pin;
      auto row = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), rank) - first.begin()) - 1;
      auto column = static_cast<std::size_t>(rank - first[row]);
      if (pin.row >= 0) row = std::min(static_cast<std::size_t>(pin.row), rows_.size() - 1);
      if (pin.column >= 0) column = static_cast<std::size_t>(pin.column);
      rows_[row].resize(std::max(rows_[row].size(), column + 1));
      rows_[row][column].push_back(s);
      spot(s).row = static_cast<int>(row), spot(s).column = static_cast<int>(column);
      if (row % 2 == 1) spot(s).mirrored = true, shape(s) = mirrored(shape(s));
    }
  }

  /// What a symbol's lines pull it to: for each drawn line to something placed, the top that would make it straight.
  struct Pull {
    std::vector<std::pair<double, double>> tops; ///< with their weights
    double weight = 0;
    /// The weighted median: straight for the heaviest, where a mean would be straight for none.
    double top() {
      std::sort(tops.begin(), tops.end());
      double passed = 0;
      for (const auto& [top, w] : tops)
        if ((passed += w) >= weight / 2) return top;
      return 0;
    }
  };
  Pull pull_on(int s, int row) {
    Pull pull;
    const auto towards = [&](const PortGroup& mine, int other, double at, double weight) {
      if (!placed_[static_cast<std::size_t>(other)] || spot(other).row != row || other == s) return;
      pull.tops.emplace_back(spot(other).y + at - mine.at, weight), pull.weight += weight;
    };
    for (const PortGroup& group : shape(s).groups) {
      const Net& net = sketch_.nets[static_cast<std::size_t>(group.net)];
      if (group.input()) {
        if (!tagged(group))
          towards(group, net.from, group_of(net.from, group.net, -1).at,
                  1.0 + 0.5 * static_cast<double>(group.ports.size()));
        continue;
      }
      for (std::size_t a = 0; a < net.arrows.size(); ++a)
        if (!place_.tagged[static_cast<std::size_t>(group.net)][a])
          towards(group, net.arrows[a].to, group_of(net.arrows[a].to, group.net, static_cast<int>(a)).at,
                  1.0 + 0.5 * static_cast<double>(net.arrows[a].taps.size()));
    }
    return pull;
  }

  const PortGroup& group_of(int s, int net, int arrow) {
    for (const PortGroup& group : shape(s).groups)
      if (group.net == net && group.arrow == arrow) return group;
    return shape(s).groups.front();
  }

  /// Heights of one column for an order of its symbols, and how far its lines are from straight.
  double settle(const Column& column, int row) {
    std::vector<double> wanted, weight, height;
    double after = 0;
    for (const int s : column) {
      Pull pull = pull_on(s, row);
      wanted.push_back(pull.weight > 0 ? pull.top() : after);
      weight.push_back(std::max(0.1, pull.weight));
      height.push_back(shape(s).height);
      after = wanted.back() + height.back() + symbol_gap;
    }
    const std::vector<double> top = stacked(wanted, weight, height);
    double cost = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      spot(column[i]).y = top[i];
      cost += weight[i] * std::abs(top[i] - wanted[i]);
    }
    return cost + line_crossing_cost * crossings(column, row);
  }

  /// Crossings of the lines that join a column to what is placed in its row.
  int crossings(const Column& column, int row) {
    struct Line {
      int side; ///< before or behind the column
      double here, there;
    };
    std::vector<Line> lines;
    const auto add = [&](int s, const PortGroup& group, int other, double at) {
      if (placed_[static_cast<std::size_t>(other)] && spot(other).row == row && spot(other).column != spot(s).column)
        lines.push_back({spot(other).column > spot(s).column ? 1 : 0, spot(s).y + group.at, spot(other).y + at});
    };
    for (const int s : column)
      for (const PortGroup& group : shape(s).groups) {
        const Net& net = sketch_.nets[static_cast<std::size_t>(group.net)];
        if (group.input() && !tagged(group)) add(s, group, net.from, group_of(net.from, group.net, -1).at);
        for (std::size_t a = 0; !group.input() && a < net.arrows.size(); ++a)
          if (!place_.tagged[static_cast<std::size_t>(group.net)][a])
            add(s, group, net.arrows[a].to, group_of(net.arrows[a].to, group.net, static_cast<int>(a)).at);
      }
    int count = 0;
    for (std::size_t i = 0; i < lines.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (lines[i].side == lines[j].side && (lines[i].here - lines[j].here) * (lines[i].there - lines[j].there) < 0)
          ++count;
    return count;
  }

  void settle_best(Column& column, int row) {
    std::sort(column.begin(), column.end());
    Column best = column;
    if (column.size() <= (sketch_.symbols.size() <= 24 ? 5U : 3U)) {
      double least = 1e300;
      do {
        const double cost = settle(column, row);
        if (cost < least - 1e-6) least = cost, best = column;
      } while (std::next_permutation(column.begin(), column.end()));
    } else {
      std::vector<std::pair<double, int>> at;
      for (const int s : column) {
        Pull pull = pull_on(s, row);
        at.emplace_back(pull.weight > 0 ? pull.top() : 0.0, s);
      }
      std::stable_sort(at.begin(), at.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t i = 0; i < at.size(); ++i) best[i] = at[i].second;
    }
    column = best;
    settle(column, row);
    for (const int s : column) placed_[static_cast<std::size_t>(s)] = true;
  }

  void heights(std::size_t r) {
    placed_.resize(sketch_.symbols.size(), false);
    const int row = static_cast<int>(r);
    for (Column& column : rows_[r]) settle_best(column, row);
    for (int sweep = 0; sweep < 3; ++sweep) {
      for (std::size_t c = rows_[r].size(); c-- > 0;) settle_best(rows_[r][c], row);
      for (Column& column : rows_[r]) settle_best(column, row);
    }
    double low = 1e300, high = -1e300;
    for (const Column& column : rows_[r])
      for (const int s : column) low = std::min(low, spot(s).y), high = std::max(high, spot(s).y + shape(s).height);
    if (low > high) return;
    const double top = r == 0 ? 0 : place_.height + band_gap + track * std::min(8, lines_between(row - 1, row));
    for (const Column& column : rows_[r])
      for (const int s : column) spot(s).y += snapped(top) - low;
    place_.height = snapped(top) + high - low;
  }

  int lines_between(int a, int b) const {
    int lines = 0;
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n)
      for (std::size_t i = 0; i < sketch_.nets[n].arrows.size(); ++i) {
        const int from = place_.spots[static_cast<std::size_t>(sketch_.nets[n].from)].row;
        const int to = place_.spots[static_cast<std::size_t>(sketch_.nets[n].arrows[i].to)].row;
        if (!place_.tagged[n][i] && (std::pair(from, to) == std::pair(a, b) || std::pair(from, to) == std::pair(b, a)))
          ++lines;
      }
    return lines;
  }

  double column_width(const Column& column) {
    double width = 0;
    for (const int s : column) width = std::max(width, shape(s).width);
    return width;
  }

  /// Lines that turn in the gap behind a column need a track each.
  double gap_after(const Row& row, std::size_t c) {
    double tags = 0;
    if (c + 1 < row.size())
      for (const int s : row[c + 1]) tags = std::max(tags, tags_beside(sketch_, place_, s));
    int turning = 0;
    for (std::size_t side : {c, c + 1}) {
      if (side >= row.size()) continue;
      for (const int s : row[side])
        for (const PortGroup& group : shape(s).groups)
          if ((side == c) != group.input() && !(group.input() && tagged(group))) ++turning;
    }
    return snapped(least_gap + tags + track * std::min(12, turning));
  }

  void widths() {
    std::vector<double> natural;
    std::vector<std::vector<double>> gaps;
    double widest = 0;
    for (const Row& row : rows_) {
      double width = 0, lead = 0;
      for (const int s : row.empty() ? Column{} : row.front()) lead = std::max(lead, tags_beside(sketch_, place_, s));
      width = snapped(lead);
      gaps.emplace_back(1, width);
      for (std::size_t c = 0; c < row.size(); ++c) {
        width += column_width(row[c]);
        if (c + 1 < row.size()) gaps.back().push_back(gap_after(row, c)), width += gaps.back().back();
      }
      natural.push_back(width);
      widest = std::max(widest, width);
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const std::size_t inner = rows_[r].size() < 2 ? 1 : rows_[r].size() - 1;
      const double more =
          rows_[r].size() < 2 ? 0 : std::floor((widest - natural[r]) / static_cast<double>(inner) / grid) * grid;
      double at = gaps[r].front();
      for (std::size_t c = 0; c < rows_[r].size(); ++c) {
        if (c > 0) at += gaps[r][c] + more;
        const double width = column_width(rows_[r][c]);
        for (const int s : rows_[r][c]) {
          const double x = at + std::floor((width - shape(s).width) / 2 / grid) * grid;
          spot(s).x = r % 2 == 0 ? x : widest - x - shape(s).width;
        }
        at += width;
      }
    }
    place_.width = snapped(widest + 5);
  }

  const Sketch& sketch_;
  const Order& order_;
  Placement place_;
  std::vector<Row> rows_;
  std::vector<bool> placed_;
};

} // namespace

std::vector<std::string> tag_lines(const Sketch& sketch, const Net& net, const Arrow& arrow) {
  const Symbol& from = sketch.symbols[static_cast<std::size_t>(net.from)];
  std::vector<std::string> lines;
  for (const Tap& tap : arrow.taps)
    lines.push_back(from.kind == Symbol::Kind::port
                        ? from.name + tap.part
                        : from.name + "." + from.outputs[static_cast<std::size_t>(tap.output)] + tap.part);
  return lines;
}

double tag_width(const std::vector<std::string>& lines) {
  double width = 0;
  for (const std::string& line : lines) width = std::max(width, svg::text_width(line, port_size));
  // more air in a tag of several lines
  return width + 18 + (lines.size() > 2 ? 4.0 * static_cast<double>(lines.size() - 2) : 0);
}

double tags_beside(const Sketch& sketch, const Placement& placement, int symbol) {
  double room = 0;
  for (const PortGroup& group : placement.shapes[static_cast<std::size_t>(symbol)].groups) {
    const auto net = static_cast<std::size_t>(group.net), arrow = static_cast<std::size_t>(group.arrow);
    if (!group.input() || !placement.tagged[net][arrow]) continue;
    room = std::max(room, tag_width(tag_lines(sketch, sketch.nets[net], sketch.nets[net].arrows[arrow])) + 12);
  }
  return room;
}

bool by_hand(const Placement& placement, int from, int to) {
  return placement.spots[static_cast<std::size_t>(from)].pinned && placement.spots[static_cast<std::size_t>(to)].pinned;
}

double line_y(const Placement& placement, int symbol, const PortGroup& group) {
  return placement.spots[static_cast<std::size_t>(symbol)].y + group.at;
}

Placement place(const Sketch& sketch, const std::vector<Shape>& shapes, const Order& order, const Fold& fold,
                Tagged tagged) {
  return Placer(sketch, shapes, order, fold, std::move(tagged)).result();
}

} // namespace hilda::graphics::draw

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/layout/layout.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hilda::graphics::draw {
namespace {

/// Px over which a line to or from what is in no row is drawn, and how much more for a symbol's first input.
constexpr double farthest_apart = 420, farther_first = 180;

class Tagger {
public:
  Tagger(const Sketch& sketch, const Order& order, const Placement& placement)
      : sketch_(sketch), order_(order), placement_(placement) {}

  Tagged result() {
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n) {
      tagged_.emplace_back();
      for (const Arrow& arrow : sketch_.nets[n].arrows) tagged_.back().push_back(too_far(sketch_.nets[n], arrow));
    }
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n)
      for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a)
        if (sketch_.nets[n].arrows[a].in_loop) tagged_[n][a] = false; // an algebraic loop is what one needs to see
    close_loops();
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n)
      for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a)
        if (const Hints::Line line = sketch_.nets[n].arrows[a].line; line != Hints::Line::any)
          tagged_[n][a] = line == Hints::Line::tag;
    return std::move(tagged_);
  }

private:
  const Spot& spot(int s) const { return placement_.spots[static_cast<std::size_t>(s)]; }
  double middle(int s) const { return spot(s).x + placement_.shapes[static_cast<std::size_t>(s)].width / 2; }
  int rank(int s) const { return order_.rank[static_cast<std::size_t>(s)]; }

  /// The way of a symbol's main signal may be longer by one.
  bool is_first_input(const Arrow& arrow) const {
    return std::any_of(arrow.taps.begin(), arrow.taps.end(), [](const Tap& tap) { return tap.input == 0; });
  }

  /// From border to border across, and from middle to middle down.
  double gap(int a, int b) const {
    const auto left = [this](int s) { return spot(s).x; };
    const auto right = [this](int s) { return spot(s).x + placement_.shapes[static_cast<std::size_t>(s)].width; };
    const auto half = [this](int s) { return spot(s).y + placement_.shapes[static_cast<std::size_t>(s)].height / 2; };
    return std::max({0.0, left(b) - right(a), left(a) - right(b)}) + std::abs(half(a) - half(b));
  }

  double pitch() const { return placement_.width / std::max(1.0, static_cast<double>(columns())); }
  int columns() const {
    int most = 1;
    for (const Spot& each : placement_.spots) most = std::max(most, each.column + 1);
    return most;
  }

  bool too_far(const Net& net, const Arrow& arrow) const {
    if (by_hand(placement_, net.from, arrow.to)) return false;
    if (order_.sink[static_cast<std::size_t>(arrow.to)]) return true;
    const Spot &from = spot(net.from), &to = spot(arrow.to);
    const int more = is_first_input(arrow) ? 1 : 0;
    const bool moved = from.pinned || to.pinned; // by hand: that makes no tag of a wire
    if (!moved && (from.apart || to.apart)) return gap(net.from, arrow.to) > farthest_apart + farther_first * more;
    if (from.row == to.row) {
      const int ahead = to.column - from.column;
      return ahead <= 0 ? ahead < -2 - more : ahead > 2 + more;
    }
    if (std::abs(from.row - to.row) > 1) return true;
    return std::abs(middle(net.from) - middle(arrow.to)) > (1.2 + more) * pitch();
  }

  /// Without it a reader could not see that there is a loop: of the arrows that lead back the shortest is drawn, with
  /// the shortest way ahead that closes it.
  void close_loops() {
    struct Way {
      double length = std::numeric_limits<double>::infinity();
      std::vector<std::pair<std::size_t, std::size_t>> arrows;
    };
    std::vector<bool> covered(sketch_.symbols.size(), false);
    for (bool more = true; more;) {
      more = false;
      Way best;
      for (std::size_t n = 0; n < sketch_.nets.size(); ++n)
        for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a) {
          const int from = sketch_.nets[n].from, to = sketch_.nets[n].arrows[a].to;
          if (order_.sink[static_cast<std::size_t>(to)] || from == to || rank(to) > rank(from)) continue;
          if (covered[static_cast<std::size_t>(from)] && covered[static_cast<std::size_t>(to)]) continue;
          std::vector<std::pair<std::size_t, std::size_t>> way;
          const double length = cost(n, a) + ahead(to, from, way);
          if (length < best.length) {
            way.emplace_back(n, a);
            best = {length, way};
          }
        }
      for (const auto& [n, a] : best.arrows) {
        tagged_[n][a] = false;
        covered[static_cast<std::size_t>(sketch_.nets[n].from)] = true;
        covered[static_cast<std::size_t>(sketch_.nets[n].arrows[a].to)] = true;
        more = true;
      }
    }
  }

  double cost(std::size_t n, std::size_t a) const {
    const int from = sketch_.nets[n].from, to = sketch_.nets[n].arrows[a].to;
    const double length = std::abs(middle(from) - middle(to)) + std::abs(spot(from).y - spot(to).y);
    return tagged_[n][a] ? 10 * length + 100 : 0.01 * length;
  }

  /// The cheapest way from one symbol to another along the flow (Bellman and Ford).
  double ahead(int from, int to, std::vector<std::pair<std::size_t, std::size_t>>& way) const {
    const double far = std::numeric_limits<double>::infinity();
    std::vector<double> length(sketch_.symbols.size(), far);
    std::vector<std::pair<std::size_t, std::size_t>> by(sketch_.symbols.size());
    length[static_cast<std::size_t>(from)] = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t n = 0; n < sketch_.nets.size(); ++n)
        for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a) {
          const auto tail = static_cast<std::size_t>(sketch_.nets[n].from),
                     head = static_cast<std::size_t>(sketch_.nets[n].arrows[a].to);
          if (rank(static_cast<int>(head)) <= rank(static_cast<int>(tail)) || order_.sink[head]) continue;
          const double through = length[tail] + cost(n, a);
          if (through < length[head]) length[head] = through, by[head] = {n, a}, moved = true;
        }
    }
    if (length[static_cast<std::size_t>(to)] == far) return far;
    for (int at = to; at != from;) {
      way.push_back(by[static_cast<std::size_t>(at)]);
      at = sketch_.nets[way.back().first].from;
    }
    return length[static_cast<std::size_t>(to)];
  }

  const Sketch& sketch_;
  const Order& order_;
  const Placement& placement_;
  Tagged tagged_;
};

} // namespace

Tagged tags_for(const Sketch& sketch, const Order& order, const Placement& placement) {
  return Tagger(sketch, order, placement).result();
}

} // namespace hilda::graphics::draw

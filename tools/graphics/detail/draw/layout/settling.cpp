// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/layout/settling.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hilda::graphics::draw {
namespace {

constexpr double between_rows = 48, beside_all = 48; ///< from the rows to a sink, px
constexpr double hole_gap = 24, line_gap = 48;       ///< around a new symbol, and along its lines
constexpr double close_gap = 12;                     ///< around what was there before, px
constexpr double wire_gap = 4 * grid;  ///< next to what the author has put somewhere: room for two arrowheads
constexpr double look_step = 2 * grid; ///< of the search for a free place
constexpr int most_steps = 160;

double to_grid(double length) { return std::round(length / grid) * grid; }
double up_to_grid(double length) { return std::ceil(length / grid - 1e-9) * grid; }

/// A symbol with the tags of its inputs.
struct Room {
  double left = 0, top = 0, right = 0, bottom = 0;
};

class Settler {
public:
  Settler(const Sketch& sketch, const Order& order, Placement& placement)
      : sketch_(sketch), order_(order), place_(placement) {
    const std::size_t count = sketch.symbols.size();
    for (std::size_t s = 0; s < count; ++s) {
      beside_.push_back(tags_beside(sketch, placement, static_cast<int>(s)));
      stands_.push_back(order.anchors.empty() && !order.sink[s]);
    }
  }

  void settle() {
    if (!order_.anchors.empty()) {
      anchored();
      rows();
      joined();
      extent();
    }
    for (int s = 0; s < count(); ++s)
      if (!stands(s)) into_a_hole(s);
    if (!order_.anchors.empty()) from_zero();
  }

private:
  int count() const { return static_cast<int>(sketch_.symbols.size()); }
  Spot& spot(int s) { return place_.spots[static_cast<std::size_t>(s)]; }
  const Shape& shape(int s) const { return place_.shapes[static_cast<std::size_t>(s)]; }
  bool stands(int s) const { return stands_[static_cast<std::size_t>(s)]; }
  bool sink(int s) const { return order_.sink[static_cast<std::size_t>(s)]; }
  double beside(int s) const { return beside_[static_cast<std::size_t>(s)]; }

  Room room_at(int s, double x, double y) {
    const bool mirrored = spot(s).mirrored;
    return {x - (mirrored ? 0 : beside(s)), y, x + shape(s).width + (mirrored ? beside(s) : 0), y + shape(s).height};
  }
  Room room(int s) { return room_at(s, spot(s).x, spot(s).y); }

  bool is_free(const Room& wanted, double gap) {
    for (int s = 0; s < count(); ++s) {
      if (!stands(s)) continue;
      const Room taken = room(s);
      if (wanted.left < taken.right + gap && wanted.right > taken.left - gap && wanted.top < taken.bottom + gap &&
          wanted.bottom > taken.top - gap)
        return false;
    }
    return true;
  }

  void stand(int s, double x, double y) {
    spot(s).x = x, spot(s).y = y;
    stands_[static_cast<std::size_t>(s)] = true;
  }

  /// The free place that is the shortest way off, along the axes; below everything where there is none.
  void stand_near(int s, double x, double y, double gap) {
    x = to_grid(x), y = to_grid(y);
    for (int way = 0; way <= most_steps; ++way)
      for (int aside = -way; aside <= way; ++aside)
        for (const int sign : {1, -1}) {
          const double there_x = x + aside * look_step, there_y = y + sign * (way - std::abs(aside)) * look_step;
          if (is_free(room_at(s, there_x, there_y), gap)) return stand(s, there_x, there_y);
        }
    double bottom = y;
    for (int other = 0; other < count(); ++other)
      if (stands(other)) bottom = std::max(bottom, room(other).bottom + gap);
    stand(s, x, to_grid(bottom));
  }

  /// Where the author needs them. One that has grown into its neighbour pushes it on, to the right or down.
  void pinned() {
    std::vector<std::pair<std::pair<double, double>, int>> order;
    for (const auto& [s, anchor] : order_.anchors)
      if (anchor.pinned) {
        order.push_back({{to_grid(anchor.x), to_grid(anchor.y)}, s});
        spot(s).apart = !sink(s), spot(s).pinned = true;
      }
    // tags of old are where wires will be
    for (const auto& [place, s] : order) spot(s).x = place.first, spot(s).y = place.second;
    for (const auto& [place, s] : order) face_along_the_flow(s);
    std::sort(order.begin(), order.end());
    for (const auto& [place, s] : order) stand_pushed(s, place.first, place.second);
  }

  void stand_pushed(int s, double x, double y) {
    for (int moves = 0; moves < most_steps; ++moves) {
      const Room wanted = room_at(s, x, y);
      int other = 0;
      while (other < count() && !(stands(other) && collide(wanted, room(other)))) ++other;
      if (other == count()) break;
      const Room taken = room(other);
      const double right = up_to_grid(taken.right + wire_gap - wanted.left),
                   down = up_to_grid(taken.bottom + close_gap - wanted.top);
      if (right <= down)
        x += right;
      else
        y += down;
    }
    stand(s, x, y);
  }

  /// Does one lie on the other, or so near that no arrow fits between?
  static bool collide(const Room& a, const Room& b) {
    return a.left < b.right + close_gap && a.right > b.left - close_gap && a.top < b.bottom + grid &&
           a.bottom > b.top - grid;
  }

  /// A symbol whose lines come from the right and go to the left is drawn the other way round, as in a feedback.
  void face_along_the_flow(int s) {
    double ahead = 0;
    for (const Net& net : sketch_.nets)
      for (const Arrow& arrow : net.arrows) {
        if (net.from == arrow.to || (net.from != s && arrow.to != s)) continue;
        const int other = net.from == s ? arrow.to : net.from;
        if (!spot(other).pinned) continue;
        const double there = spot(other).x + shape(other).width / 2, here = spot(s).x + shape(s).width / 2;
        ahead += (net.from == s) == (there >= here) ? 1 : -1;
      }
    const bool left = ahead < 0 && sketch_.symbols[static_cast<std::size_t>(s)].kind != Symbol::Kind::sum;
    if (spot(s).mirrored == left) return;
    spot(s).mirrored = left;
    place_.shapes[static_cast<std::size_t>(s)] = mirrored(shape(s));
  }

  /// The pinned ones, then what is as it was, then what has changed: of two that are in each other's way it moves.
  void anchored() {
    pinned();
    for (const bool edited : {false, true})
      for (const auto& [s, anchor] : order_.anchors)
        if (!anchor.pinned && anchor.edited == edited) stand_near(s, anchor.x, anchor.y, close_gap);
    for (const auto& [s, anchor] : order_.anchors)
      if (sink(s)) spot(s).row = -1;
  }

  /// Where some symbols are pinned and nothing was drawn before, the others keep to their rows.
  void rows() {
    const bool drawn_before =
        std::any_of(order_.anchors.begin(), order_.anchors.end(), [](const auto& each) { return !each.second.pinned; });
    if (drawn_before) return;
    for (int s = 0; s < count(); ++s)
      if (!stands(s) && !sink(s)) stand_near(s, spot(s).x, spot(s).y, hole_gap);
  }

  /// New symbols next to those that they are joined with, one after the other.
  void joined() {
    for (bool more = true; more;) {
      more = false;
      for (int s = 0; s < count(); ++s) {
        if (stands(s) || sink(s)) continue;
        std::vector<double> xs, ys;
        neighbours(s, xs, ys);
        if (xs.empty()) continue;
        double x = 0;
        for (const double each : xs) x += each / static_cast<double>(xs.size());
        std::sort(ys.begin(), ys.end());
        spot(s).apart = true;
        stand_near(s, x, ys[ys.size() / 2], hole_gap);
        more = true;
      }
    }
  }

  /// Where each of its lines to what is placed would have the symbol.
  void neighbours(int s, std::vector<double>& xs, std::vector<double>& ys) {
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n)
      for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a) {
        const int from = sketch_.nets[n].from, to = sketch_.nets[n].arrows[a].to;
        if (from == to || (from != s && to != s)) continue;
        const bool behind = to == s;
        const int other = behind ? from : to;
        if (!stands(other) || sink(other)) continue;
        if (xs.empty()) face_as(s, other); // makes the shape again, so before its ports are looked at
        const PortGroup *out = group(from, n, -1), *in = group(to, n, static_cast<int>(a));
        if (out == nullptr || in == nullptr) continue;
        const bool to_right = behind != spot(other).mirrored;
        const Room there = room(other);
        xs.push_back(to_right ? there.right + line_gap + beside(s)
                              : there.left - line_gap - beside(s) - shape(s).width);
        ys.push_back(spot(other).y + (behind ? out->at - in->at : in->at - out->at));
      }
  }

  /// The same way round as another, so that the line between them is straight.
  void face_as(int s, int other) {
    if (spot(s).mirrored == spot(other).mirrored) return;
    spot(s).mirrored = spot(other).mirrored;
    place_.shapes[static_cast<std::size_t>(s)] = mirrored(shape(s));
  }

  const PortGroup* group(int s, std::size_t net, int arrow) const {
    for (const PortGroup& each : shape(s).groups)
      if (each.net == static_cast<int>(net) && each.arrow == arrow) return &each;
    return nullptr;
  }

  void extent() {
    place_.width = place_.height = 0;
    for (int s = 0; s < count(); ++s) {
      if (!stands(s)) continue;
      place_.width = std::max(place_.width, to_grid(room(s).right + 5));
      place_.height = std::max(place_.height, room(s).bottom);
    }
  }

  static double badness(double width, double height) {
    return std::max(width / 16, height / 9) * 9 + 0.02 * (width + height) + (width > 2.3 * height ? 40 : 0);
  }

  /// What it costs a sink to be elsewhere than before.
  double away(int s, double x, double y) const {
    const auto wish = order_.wish.find(s);
    return wish == order_.wish.end() ? 0
                                     : 0.05 * (std::abs(x - wish->second.first) + std::abs(y - wish->second.second));
  }

  /// A sink, or what is joined with nothing, fills a hole, or is below or on the right, whatever leaves the drawing
  /// largest on a screen.
  void into_a_hole(int s) {
    const double tags = std::round((beside(s) + 2) / grid) * grid, width = tags + shape(s).width,
                 height = shape(s).height;
    double best = 1e300, best_x = 0, best_y = 0;
    const double below = to_grid(place_.height + between_rows), beside = to_grid(place_.width + beside_all);
    for (int row = 0; row * 2 * grid <= below; ++row)
      for (int column = 0; column * 4 * grid <= beside; ++column) {
        const double x = column * 4 * grid, y = row * 2 * grid;
        const double all_width = std::max(place_.width, x + width), all_height = std::max(place_.height, y + height);
        const double cost = badness(all_width, all_height) + 1e-4 * (x + y) + away(s, x + tags, y);
        if (cost < best && is_free({x, y, x + width, y + height}, hole_gap)) best = cost, best_x = x, best_y = y;
      }
    stand(s, best_x + tags, best_y);
    if (spot(s).mirrored) face_right(s);
    if (sink(s))
      spot(s).row = -1;
    else
      spot(s).apart = true;
    place_.width = std::max(place_.width, best_x + width), place_.height = std::max(place_.height, best_y + height);
  }

  void face_right(int s) {
    spot(s).mirrored = false;
    place_.shapes[static_cast<std::size_t>(s)] = mirrored(shape(s));
  }

  /// Everything moved so that the drawing begins at 0.
  void from_zero() {
    double left = 1e300, top = 1e300;
    for (int s = 0; s < count(); ++s) left = std::min(left, room(s).left), top = std::min(top, room(s).top);
    place_.left = -std::floor(left / grid) * grid, place_.top = -std::floor(top / grid) * grid;
    for (Spot& each : place_.spots) each.x += place_.left, each.y += place_.top;
    extent();
  }

  const Sketch& sketch_;
  const Order& order_;
  Placement& place_;
  std::vector<double> beside_; ///< by symbol: room for its tags
  std::vector<bool> stands_;   ///< by symbol
};

} // namespace

void settle_the_rest(const Sketch& sketch, const Order& order, Placement& placement) {
  Settler(sketch, order, placement).settle();
}

} // namespace hilda::graphics::draw

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/layout/routing.h"

#include "tools/graphics/detail/draw/layout/routing_grid.h"
#include "tools/graphics/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <queue>

namespace hilda::graphics::draw {
namespace {

constexpr double step_cost = 1, bend_cost = 9, crossing_cost = 14, shared_cost = 200, beside_cost = 1.2, port_cost = 8,
                 own_cost = 0.25, through_cost = 60;
constexpr std::size_t few_symbols = 60; ///< whose nets are searched several times, and each of them is quick
constexpr int passes = 3, stub = 2;     ///< cells between a border and the first bend: an arrowhead's room

int outward(Side side) {
  switch (side) {
  case Side::right: return 0;
  case Side::bottom: return 1;
  case Side::left: return 2;
  case Side::top: return 3;
  }
  return 0;
}

/// The name of a sum is at its right, where a line may have to pass behind it.
double width_with_names(const Sketch& sketch, const Placement& placement) {
  double width = placement.width;
  for (std::size_t s = 0; s < sketch.symbols.size(); ++s)
    if (sketch.symbols[s].kind == Symbol::Kind::sum)
      width = std::max(width, placement.spots[s].x + 0.78 * placement.shapes[s].width +
                                  svg::text_width(sketch.symbols[s].name, detail_size));
  return width;
}

class Router {
public:
  Router(const Sketch& sketch, const Placement& placement)
      : sketch_(sketch), placement_(placement), grid_(width_with_names(sketch, placement), placement.height),
        mouths_(sketch.nets.size()), best_(grid_.size() * 4, 1e300), by_(grid_.size() * 4, -1) {
    for (int s = 0; s < static_cast<int>(sketch.symbols.size()); ++s) obstacles(s);
    for (int s = 0; s < static_cast<int>(sketch.symbols.size()); ++s) mouths(s);
  }

  Routes result(RouteMemory* memory) {
    if (sketch_.symbols.size() > few_symbols) memory_ = memory;
    if (memory_ != nullptr) memory_->begin(sketch_, grid_, starts());
    routes_.of.resize(sketch_.nets.size());
    paths_.resize(sketch_.nets.size());
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n) paths_[n].resize(sketch_.nets[n].arrows.size());
    const int rounds = sketch_.symbols.size() <= few_symbols ? passes : 1;
    const std::vector<std::size_t> order = by_length();
    for (int pass = 0; pass < rounds; ++pass) {
      lost_.clear();
      routes_.by_hand.clear();
      const std::vector<std::vector<std::vector<Cell>>> before = paths_;
      for (const std::size_t n : order)
        if (!remembered(n)) net(n);
      if (pass > 0 && paths_ == before) break; // another pass would find the same
    }
    finish();
    return std::move(routes_);
  }

private:
  bool drawn(std::size_t n, std::size_t a) const { return !placement_.tagged[n][a]; }

  void obstacles(int s) {
    const Spot& spot = placement_.spots[static_cast<std::size_t>(s)];
    const Shape& shape = placement_.shapes[static_cast<std::size_t>(s)];
    const Symbol& symbol = sketch_.symbols[static_cast<std::size_t>(s)];
    const bool named_below = symbol.kind == Symbol::Kind::gain;
    if (symbol.kind == Symbol::Kind::sum) { // named next to a line from below
      const double left = spot.x + 0.78 * shape.width, bottom = spot.y + shape.height;
      grid_.block(left, bottom, left + svg::text_width(symbol.name, detail_size), bottom + 8);
    }
    grid_.block(spot.x - grid + 1, spot.y - grid + 1, spot.x + shape.width + grid - 1,
                spot.y + shape.height + grid - 1 + (named_below ? 9 : 0));
    for (const PortGroup& group : shape.groups) {
      if (!group.input()) flag(s, group);
      if (!group.input() || drawn(static_cast<std::size_t>(group.net), static_cast<std::size_t>(group.arrow))) continue;
      const Net& net = sketch_.nets[static_cast<std::size_t>(group.net)];
      const std::vector<std::string> lines = tag_lines(sketch_, net, net.arrows[static_cast<std::size_t>(group.arrow)]);
      const double width = tag_width(lines) + grid, half = port_line * static_cast<double>(lines.size()) / 2 + 2,
                   y = spot.y + group.at;
      if (group.side == Side::top || group.side == Side::bottom) {
        const double border = group.side == Side::top ? spot.y - 2 * port_line : spot.y + shape.height;
        grid_.block(spot.x + group.at - width, border, spot.x + group.at + grid, border + 2 * port_line);
        continue;
      }
      const double left = group.side == Side::left ? spot.x - width : spot.x + shape.width;
      grid_.block(left, y - half, left + width, y + half);
    }
  }

  /// No other line through the flag of an output that continues elsewhere.
  void flag(int s, const PortGroup& group) {
    const auto& tagged = placement_.tagged[static_cast<std::size_t>(group.net)];
    if (std::find(tagged.begin(), tagged.end(), true) == tagged.end()) return;
    const bool alone = std::find(tagged.begin(), tagged.end(), false) == tagged.end();
    const auto [x, y] = border_point(placement_, s, group);
    const double left = group.side == Side::left ? x - 15 : x, middle = y - (alone ? 0 : 8);
    grid_.block(left, middle - 4, left + 15, middle + (alone ? 4 : 1));
  }

  void mouths(int s) {
    for (const PortGroup& group : placement_.shapes[static_cast<std::size_t>(s)].groups) {
      const auto n = static_cast<std::size_t>(group.net);
      mouths_[n].resize(sketch_.nets[n].arrows.size() + 1);
      const auto [x, y] = border_point(placement_, s, group);
      Mouth mouth{RoutingGrid::cell_at(x, y), {}, outward(group.side)};
      const Cell d = RoutingGrid::step[static_cast<std::size_t>(mouth.direction)];
      mouth.cell = mouth.border;
      for (int i = 0; i < stub; ++i) {
        mouth.cell = {mouth.cell.x + d.x, mouth.cell.y + d.y};
        const bool used = group.input() ? drawn(n, static_cast<std::size_t>(group.arrow)) : any_drawn(n);
        if (used) grid_.open(mouth.cell, group.net);
      }
      const int place = group.arrow + 1;
      mouths_[n][static_cast<std::size_t>(place)] = mouth;
    }
  }

  bool any_drawn(std::size_t n) const {
    for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a)
      if (drawn(n, a)) return true;
    return false;
  }

  /// Short nets first: they have the least choice.
  std::vector<std::size_t> by_length() const {
    std::vector<std::pair<int, std::size_t>> order;
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n) {
      int length = 0;
      for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a)
        if (drawn(n, a)) length = std::max(length, distance(mouths_[n][0].cell, mouths_[n][a + 1].cell));
      if (any_drawn(n)) order.emplace_back(length, n);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> nets;
    for (const auto& [length, n] : order) nets.push_back(n);
    return nets;
  }

  /// What the search of a net depends on besides the grid.
  RoutedNet start_of(std::size_t n) const {
    RoutedNet made{mouths_[n], {}, {}, {}, {}, {}, {}};
    for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a) {
      made.drawn.push_back(drawn(n, a));
      made.by_hand.push_back(by_hand(placement_, sketch_.nets[n].from, sketch_.nets[n].arrows[a].to));
    }
    return made;
  }

  std::vector<RoutedNet> starts() const {
    std::vector<RoutedNet> all;
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n) all.push_back(start_of(n));
    return all;
  }

  /// Takes the routes of the drawing before, if a search would find the same.
  bool remembered(std::size_t n) {
    const RoutedNet* const known = memory_ != nullptr ? memory_->known(n) : nullptr;
    if (known == nullptr) return false;
    paths_[n] = known->paths;
    for (const std::size_t a : known->bent) routes_.by_hand.insert({n, a});
    for (const std::size_t a : known->lost) lost_.emplace_back(n, a);
    for (const std::vector<Cell>& path : paths_[n]) grid_.take(path, static_cast<int>(n));
    return true;
  }

  void remember(std::size_t n) {
    if (memory_ == nullptr) return;
    RoutedNet made = start_of(n);
    made.paths = paths_[n];
    made.searched = searched_;
    for (const auto& [net, a] : routes_.by_hand)
      if (net == n) made.bent.push_back(a);
    for (const auto& [net, a] : lost_)
      if (net == n) made.lost.push_back(a);
    memory_->found(n, std::move(made));
  }

  static int distance(Cell a, Cell b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); }

  void net(std::size_t n) {
    grid_.release(static_cast<int>(n));
    searched_ = {};
    std::vector<std::pair<int, std::size_t>> order;
    for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a)
      if (drawn(n, a)) order.emplace_back(distance(mouths_[n][0].cell, mouths_[n][a + 1].cell), a);
    std::sort(order.begin(), order.end());
    std::vector<Cell> tree;
    for (const auto& [length, a] : order) {
      paths_[n][a] = bent(n, a);
      if (!paths_[n][a].empty()) {
        routes_.by_hand.insert({n, a});
        grid_.take(paths_[n][a], static_cast<int>(n));
        for (std::size_t i = 0; i + 1 < paths_[n][a].size(); ++i) add_cells(paths_[n][a][i], paths_[n][a][i + 1], tree);
      }
    }
    for (const auto& [length, a] : order) {
      if (!paths_[n][a].empty()) continue;
      paths_[n][a] = search(n, a, tree, 0);
      const bool drawn_by_hand = by_hand(placement_, sketch_.nets[n].from, sketch_.nets[n].arrows[a].to);
      if (drawn_by_hand && paths_[n][a].empty()) paths_[n][a] = search(n, a, tree, through_cost);
      if (paths_[n][a].empty() || (!drawn_by_hand && shares(paths_[n][a], static_cast<int>(n))))
        lost_.emplace_back(n, a);
      grid_.take(paths_[n][a], static_cast<int>(n));
      for (std::size_t i = 0; i + 1 < paths_[n][a].size(); ++i) add_cells(paths_[n][a][i], paths_[n][a][i + 1], tree);
    }
    remember(n);
  }

  /// The corners that the author needs; none where they are not given, or would lead through a symbol.
  std::vector<Cell> bent(std::size_t n, std::size_t a) const {
    const Mouth &start = mouths_[n][0], &goal = mouths_[n][a + 1];
    const bool upright = goal.direction % 2 == 1;
    Hints::Bend turns = sketch_.nets[n].arrows[a].bend;
    // the last piece but one leads to the port's height, or, from above and below, to its place across
    if (!turns.empty() && (turns.size() % 2 == 0) != upright) turns.pop_back();
    if (turns.empty()) return {};
    std::vector<Cell> corners{start.border};
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const int by = static_cast<int>(std::lround(turns[i] / grid));
      corners.push_back({corners.back().x + (i % 2 == 0 ? by : 0), corners.back().y + (i % 2 == 1 ? by : 0)});
    }
    corners.push_back(upright ? Cell{goal.border.x, corners.back().y} : Cell{corners.back().x, goal.border.y});
    corners.push_back(goal.border);
    corners = straightened(corners);
    const std::size_t last = corners.size() - 1;
    if (!leaves(corners[0], corners[1], start.direction) || !leaves(corners[last], corners[last - 1], goal.direction) ||
        runs_through_a_symbol(corners))
      return {};
    return corners;
  }

  /// Without corners at which nothing turns.
  static std::vector<Cell> straightened(const std::vector<Cell>& all) {
    std::vector<Cell> corners;
    for (const Cell c : all) {
      if (!corners.empty() && corners.back() == c) continue;
      const std::size_t k = corners.size();
      if (k >= 2 && ((corners[k - 2].x == corners[k - 1].x && corners[k - 1].x == c.x) ||
                     (corners[k - 2].y == corners[k - 1].y && corners[k - 1].y == c.y)))
        corners.pop_back();
      corners.push_back(c);
    }
    return corners;
  }

  /// From a port away from its symbol, far enough for an arrowhead.
  static bool leaves(Cell port, Cell next, int direction) {
    const Cell d = RoutingGrid::step[static_cast<std::size_t>(direction)];
    return (next.x - port.x) * d.x + (next.y - port.y) * d.y >= stub;
  }

  bool runs_through_a_symbol(const std::vector<Cell>& corners) const {
    for (std::size_t s = 0; s < placement_.spots.size(); ++s) {
      const Spot& spot = placement_.spots[s];
      const Shape& shape = placement_.shapes[s];
      for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
        const auto [x0, y0] = RoutingGrid::place_of(corners[i]);
        const auto [x1, y1] = RoutingGrid::place_of(corners[i + 1]);
        if (std::min(x0, x1) < spot.x + shape.width && std::max(x0, x1) > spot.x &&
            std::min(y0, y1) < spot.y + shape.height && std::max(y0, y1) > spot.y)
          return true;
      }
    }
    return false;
  }

  /// Whether a way runs on another net's track, or turns on it.
  bool shares(const std::vector<Cell>& path, int net) const {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      std::vector<Cell> cells;
      add_cells(path[i], path[i + 1], cells);
      const bool lies = path[i].y == path[i + 1].y;
      for (const Cell c : cells) {
        const int along = lies ? grid_.lying(c) : grid_.standing(c);
        if (along >= 0 && along != net) return true;
      }
    }
    return false;
  }

  static void add_cells(Cell a, Cell b, std::vector<Cell>& cells) {
    const Cell d{(b.x > a.x) - (b.x < a.x), (b.y > a.y) - (b.y < a.y)};
    for (Cell c = a;; c = {c.x + d.x, c.y + d.y}) {
      cells.push_back(c);
      if (c == b) return;
    }
  }

  /// What it costs to be in a cell having come to it in a direction, without the step itself.
  double toll(Cell c, int direction, int net) const {
    const bool lies = direction % 2 == 0;
    const int along = lies ? grid_.lying(c) : grid_.standing(c), across = lies ? grid_.standing(c) : grid_.lying(c);
    double cost = 0;
    if (along >= 0 && along != net) cost += shared_cost;
    if (across >= 0 && across != net) cost += crossing_cost;
    if (grid_.foreign_port(c, net)) cost += port_cost;
    const Cell side = RoutingGrid::step[static_cast<std::size_t>((direction + 1) % 4)];
    for (const int sign : {-1, 1}) {
      const Cell next{c.x + sign * side.x, c.y + sign * side.y};
      if (!grid_.inside(next)) continue;
      const int beside = lies ? grid_.lying(next) : grid_.standing(next);
      if (beside >= 0 && beside != net) cost += beside_cost;
    }
    return cost;
  }

  /// Bends on another net's track would look like a junction.
  double bend_toll(Cell c, int net) const {
    const bool taken =
        (grid_.lying(c) >= 0 && grid_.lying(c) != net) || (grid_.standing(c) >= 0 && grid_.standing(c) != net);
    return bend_cost + (taken ? shared_cost : 0);
  }

  struct Open {
    double estimate, cost;
    int key; ///< cell * 4 + direction
    /// The least estimate comes first; of equal ones always the same.
    bool operator<(const Open& other) const {
      return estimate != other.estimate ? estimate > other.estimate : key > other.key;
    }
  };

  /// The fewest bends of a way that continues in a direction and reaches the goal in the goal's, without obstacles.
  static int least_bends(Cell at, int direction, Cell goal, int goal_direction) {
    const Cell ahead = RoutingGrid::step[static_cast<std::size_t>(goal_direction)],
               way = RoutingGrid::step[static_cast<std::size_t>(direction)];
    const Cell d{goal.x - at.x, goal.y - at.y};
    const int along = d.x * ahead.x + d.y * ahead.y, aside = d.x * ahead.y - d.y * ahead.x;
    if (direction == goal_direction) return along < 0 ? 4 : aside == 0 ? 0 : 2;
    if (direction == (goal_direction + 2) % 4) return aside == 0 ? 4 : 2;
    const bool towards = way.x * d.x + way.y * d.y >= 0;
    return towards && along >= 0 ? 1 : 3;
  }

  /// Corners of the cheapest way from the output, or from the net's lines so far, to an input.
  /// @param through  what each cell of an obstacle costs; 0: none is passed
  std::vector<Cell> search(std::size_t n, std::size_t a, const std::vector<Cell>& tree, double through) {
    const int net = static_cast<int>(n);
    const Mouth &start = mouths_[n][0], &goal = mouths_[n][a + 1];
    const int goal_direction = (goal.direction + 2) % 4;
    // kept from one search to the next, as clearing them costs more than a short search
    std::vector<double>& best = best_;
    std::vector<int>& by = by_;
    for (const std::size_t key : touched_) best[key] = 1e300;
    touched_.clear();
    std::priority_queue<Open> queue;
    const auto push = [&](Cell c, int direction, double cost, int from) {
      const std::size_t key = grid_.index(c) * 4 + static_cast<std::size_t>(direction);
      if (cost >= best[key] - 1e-9) return;
      best[key] = cost, by[key] = from;
      touched_.push_back(key);
      searched_.add(c);
      const double left =
          step_cost * distance(c, goal.cell) + bend_cost * least_bends(c, direction, goal.cell, goal_direction);
      queue.push({cost + left, cost, static_cast<int>(key)});
    };
    push(start.cell, start.direction, 0, -1);
    for (const Cell c : tree)
      for (int d = 0; d < 4; ++d)
        if (c != start.border && grid_.inside(c)) push(c, d, 2, -1);
    while (!queue.empty()) {
      const Open at = queue.top();
      queue.pop();
      const auto key = static_cast<std::size_t>(at.key);
      if (at.cost > best[key] + 1e-9) continue;
      const int direction = at.key % 4, cell = at.key / 4;
      const Cell c{cell % grid_.width(), cell / grid_.width()};
      if (c == goal.cell && direction == goal_direction) return corners(key, by, start, goal, tree);
      const double turned = bend_toll(c, net);
      for (int d = 0; d < 4; ++d) {
        if (d == (direction + 2) % 4) continue;
        const Cell step = RoutingGrid::step[static_cast<std::size_t>(d)], next{c.x + step.x, c.y + step.y};
        if (!grid_.inside(next)) continue;
        const bool closed = grid_.closed_to(next, net);
        if (closed && through == 0) continue;
        const double there = at.cost + (d == direction ? 0 : turned);
        // no toll makes it cheaper, and most ways are known to be dearer
        if (there + own_cost >= best[grid_.index(next) * 4 + static_cast<std::size_t>(d)] - 1e-9) continue;
        const bool own = d % 2 == 0 ? grid_.lying(next) == net && grid_.lying(c) == net
                                    : grid_.standing(next) == net && grid_.standing(c) == net;
        push(next, d, there + (own ? own_cost : step_cost + toll(next, d, net)) + (closed ? through : 0), at.key);
      }
      if (c == goal.cell && direction != goal.direction) push(c, goal_direction, at.cost + turned, at.key);
    }
    return {};
  }

  std::vector<Cell> corners(std::size_t key, const std::vector<int>& by, const Mouth& start, const Mouth& goal,
                            const std::vector<Cell>& tree) const {
    std::vector<Cell> back{goal.border};
    int at = static_cast<int>(key);
    for (; at >= 0; at = by[static_cast<std::size_t>(at)]) {
      const int cell = at / 4;
      back.push_back({cell % grid_.width(), cell / grid_.width()});
    }
    const bool from_tree = std::find(tree.begin(), tree.end(), back.back()) != tree.end();
    if (!from_tree) back.push_back(start.border);
    std::reverse(back.begin(), back.end());
    return straightened(back);
  }

  void finish() {
    routes_.crossings = grid_.crossings();
    routes_.lost = lost_;
    for (std::size_t n = 0; n < paths_.size(); ++n) {
      routes_.of[n].resize(paths_[n].size());
      for (std::size_t a = 0; a < paths_[n].size(); ++a) {
        const std::vector<Cell>& path = paths_[n][a];
        for (std::size_t i = 0; i < path.size(); ++i) {
          routes_.of[n][a].push_back(RoutingGrid::place_of(path[i]));
          if (i > 0) routes_.length += grid * distance(path[i - 1], path[i]);
        }
        if (path.size() > 2) routes_.bends += static_cast<int>(path.size()) - 2;
      }
    }
  }

  const Sketch& sketch_;
  const Placement& placement_;
  RoutingGrid grid_;
  std::vector<std::vector<Mouth>> mouths_; ///< by net: of its output, then of its arrows
  std::vector<std::vector<std::vector<Cell>>> paths_;
  std::vector<std::pair<std::size_t, std::size_t>> lost_;
  std::vector<double> best_; ///< of a search: cost by cell and direction
  std::vector<int> by_;      ///< of a search: from where, where best_ says something
  std::vector<std::size_t> touched_;
  CellWindow searched_; ///< by all searches of the net
  RouteMemory* memory_ = nullptr;
  Routes routes_;
};

} // namespace

std::pair<double, double> border_point(const Placement& placement, int symbol, const PortGroup& group) {
  const Spot& spot = placement.spots[static_cast<std::size_t>(symbol)];
  const Shape& shape = placement.shapes[static_cast<std::size_t>(symbol)];
  switch (group.side) {
  case Side::left: return {spot.x, spot.y + group.at};
  case Side::right: return {spot.x + shape.width, spot.y + group.at};
  case Side::top: return {spot.x + group.at, spot.y};
  case Side::bottom: return {spot.x + group.at, spot.y + shape.height};
  }
  return {spot.x, spot.y};
}

Routes route(const Sketch& sketch, const Placement& placement, RouteMemory* memory) {
  return Router(sketch, placement).result(memory);
}

} // namespace hilda::graphics::draw

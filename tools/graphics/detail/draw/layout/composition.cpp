// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/layout/composition.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace hilda::graphics::draw {
namespace {

constexpr int most_rows = 4;
constexpr std::size_t many_symbols = 400; ///< more than a picture has; then a line to another row is a tag
constexpr std::size_t most_folds = 600;
constexpr int most_tries = 60;      ///< small changes to a drawing that is nearly there
constexpr double worth_it = 8;      ///< of the score, so that an edit of the diagram does not turn things about
constexpr double much_better = 0.9; ///< of the score, for which an earlier drawing is given up
constexpr double head_height = 60, screen_width = 1600, screen_height = 900;

/// Every way to cut the ranks into so many rows; where there are too many, those near equal lengths.
void folds(int ranks, int rows, int from, Fold& so_far, std::vector<Fold>& all, int slack) {
  if (all.size() >= most_folds) return;
  so_far.first.push_back(from);
  const int left = rows - static_cast<int>(so_far.first.size());
  if (left == 0) {
    all.push_back(so_far);
  } else {
    const int even = ranks * static_cast<int>(so_far.first.size()) / rows;
    for (int next = std::max(from + 1, even - slack); next <= std::min(ranks - left, even + slack); ++next)
      folds(ranks, rows, next, so_far, all, slack);
  }
  so_far.first.pop_back();
}

/// Large drawings are folded into even rows alone: there is less to gain, and each try takes longer.
std::vector<Fold> folds_of(int ranks, int rows, std::size_t symbols) {
  std::vector<Fold> all;
  Fold so_far;
  folds(ranks, rows, 0, so_far, all, symbols <= 24 ? ranks : symbols <= 60 ? 1 : 0);
  return all;
}

/// Lengths of straight ways, before there are routes.
double guessed_length(const Sketch& sketch, const Placement& placement) {
  double length = 0;
  for (std::size_t n = 0; n < sketch.nets.size(); ++n)
    for (std::size_t a = 0; a < sketch.nets[n].arrows.size(); ++a) {
      if (placement.tagged[n][a]) continue;
      const int from = sketch.nets[n].from, to = sketch.nets[n].arrows[a].to;
      const Spot &s = placement.spots[static_cast<std::size_t>(from)],
                 &e = placement.spots[static_cast<std::size_t>(to)];
      const double out = s.x + (s.mirrored ? 0 : placement.shapes[static_cast<std::size_t>(from)].width);
      const double in = e.x + (e.mirrored ? placement.shapes[static_cast<std::size_t>(to)].width : 0);
      length += std::abs(out - in) + std::abs(s.y - e.y);
    }
  return length;
}

const PortGroup* port_of(const Placement& placement, int symbol, std::size_t net, int arrow) {
  for (const PortGroup& group : placement.shapes[static_cast<std::size_t>(symbol)].groups)
    if (group.net == static_cast<int>(net) && group.arrow == arrow) return &group;
  return nullptr;
}

/// From port to port along the axes.
double straight(const Sketch& sketch, const Placement& placement, std::size_t n, std::size_t a) {
  const int from = sketch.nets[n].from, to = sketch.nets[n].arrows[a].to;
  const PortGroup *out = port_of(placement, from, n, -1), *in = port_of(placement, to, n, static_cast<int>(a));
  if (out == nullptr || in == nullptr) return 0;
  const auto [x, y] = border_point(placement, from, *out);
  const auto [there_x, there_y] = border_point(placement, to, *in);
  // ports are moved to the grid, by half a step each
  return std::max(0.0, std::abs(x - there_x) + std::abs(y - there_y) - 2 * grid);
}

/// No routes are shorter: each net is as long as the straight way to its farthest input.
double least_length(const Sketch& sketch, const Placement& placement) {
  double length = 0;
  for (std::size_t n = 0; n < sketch.nets.size(); ++n) {
    double farthest = 0;
    for (std::size_t a = 0; a < sketch.nets[n].arrows.size(); ++a)
      if (!placement.tagged[n][a]) farthest = std::max(farthest, straight(sketch, placement, n, a));
    length += farthest;
  }
  return length;
}

LayoutQuality quality_of(const Placement& placement) {
  LayoutQuality quality;
  quality.width = placement.width + 48, quality.height = placement.height + 48;
  quality.rows = static_cast<int>(placement.fold.first.size());
  for (const auto& net : placement.tagged) quality.tags += static_cast<int>(std::count(net.begin(), net.end(), true));
  return quality;
}

Tagged no_tags(const Sketch& sketch) {
  Tagged tagged;
  for (const Net& net : sketch.nets) tagged.emplace_back(net.arrows.size(), false);
  return tagged;
}

/// Which symbols lie on a cycle of drawn lines, and which have a drawn line at all.
struct Seen {
  std::vector<bool> on_cycle, joined;
};
Seen seen_in(const Sketch& sketch, const Tagged& tagged) {
  const std::size_t count = sketch.symbols.size();
  std::vector<std::vector<std::size_t>> next(count);
  Seen seen{std::vector<bool>(count, false), std::vector<bool>(count, false)};
  for (std::size_t n = 0; n < sketch.nets.size(); ++n)
    for (std::size_t a = 0; a < sketch.nets[n].arrows.size(); ++a) {
      if (tagged[n][a]) continue;
      const auto from = static_cast<std::size_t>(sketch.nets[n].from),
                 to = static_cast<std::size_t>(sketch.nets[n].arrows[a].to);
      next[from].push_back(to);
      seen.joined[from] = seen.joined[to] = true;
    }
  for (std::size_t s = 0; s < count; ++s) {
    std::vector<bool> reached(count, false);
    std::vector<std::size_t> open = next[s];
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (reached[at]) continue;
      reached[at] = true;
      open.insert(open.end(), next[at].begin(), next[at].end());
    }
    seen.on_cycle[s] = reached[s];
  }
  return seen;
}

/// Nothing that could be seen is gone.
bool covers(const std::vector<bool>& now, const std::vector<bool>& before) {
  for (std::size_t i = 0; i < now.size(); ++i)
    if (before[i] && !now[i]) return false;
  return true;
}

class Composer {
public:
  Composer(const Sketch& sketch, const std::vector<Inside>& insides, const CompositionOptions& options)
      : sketch_(sketch), shapes_(shapes_of(sketch, insides)) {
    int start = -1;
    for (std::size_t s = 0; s < sketch.symbols.size() && !options.start.empty(); ++s)
      if (sketch.symbols[s].path == options.start) start = static_cast<int>(s);
    // what has two sources alone may look better at the end of a wire, or not
    for (const std::size_t sources : {3U, 2U}) {
      Order order = order_of(sketch, sources, start);
      if (orders_.empty() || order.sink != orders_.front().sink) orders_.push_back(std::move(order));
    }
  }

  Composition best(const CompositionOptions& options) const {
    if (!options.like) return best_of_all(options);
    const auto earlier = kept(sketch_, orders_.front(), *options.like);
    if (!earlier || (options.rows > 0 && static_cast<int>(earlier->fold.first.size()) != options.rows))
      return best_of_all(options);
    Composition same =
        like_before(*earlier, *options.like, options.routes != nullptr ? &(*options.routes)[sketch_.inside] : nullptr);
    if (options.hold) return same;
    Composition free = best_of_all(options);
    return free.quality.score() < much_better * same.quality.score() ? free : same;
  }

private:
  /// Everything where it was; where a symbol was opened or closed, everything in its row and column.
  Composition like_before(Kept earlier, const Arrangement& like, RouteMemory* memory) const {
    const Placement bare = place(sketch_, shapes_, earlier.order, earlier.fold, no_tags(sketch_));
    Tagged tagged = kept_tags(sketch_, earlier, like, tags_for(sketch_, earlier.order, bare));
    const Placement rows = place(sketch_, shapes_, earlier.order, earlier.fold, tagged);
    if (!mark_edited(sketch_, rows, like, earlier))
      std::erase_if(earlier.order.anchors, [](const auto& each) { return !each.second.pinned; });
    return routed(earlier.order, place(sketch_, shapes_, earlier.order, earlier.fold, std::move(tagged)), memory);
  }

  Composition best_of_all(const CompositionOptions& options) const {
    struct Candidate {
      double score;
      const Order* order;
      Placement placement;
    };
    std::vector<Candidate> candidates;
    for (const Order& order : orders_) {
      const int ranks = std::max(1, order.ranks);
      const int least = std::min(ranks, std::max(1, options.rows)),
                most = options.rows > 0 ? least : std::min(ranks, most_rows);
      for (int rows = least; rows <= most; ++rows)
        for (const Fold& fold : folds_of(ranks, rows, sketch_.symbols.size())) {
          Placement placement = with_tags(order, fold);
          LayoutQuality quality = quality_of(placement);
          quality.length = guessed_length(sketch_, placement);
          candidates.push_back({quality.score(), &order, std::move(placement)});
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score < b.score; });
    const std::size_t routed_at_most = sketch_.symbols.size() <= 24 ? 8 : sketch_.symbols.size() <= 60 ? 3 : 1;
    if (candidates.size() > routed_at_most) candidates.resize(routed_at_most);
    Composition best;
    const Order* order = nullptr;
    for (Candidate& candidate : candidates) {
      if (order != nullptr && least_score(candidate.placement) >= best.quality.score()) continue;
      Composition made = routed(*candidate.order, std::move(candidate.placement));
      if (!best.placement.spots.empty() && made.quality.score() >= best.quality.score()) continue;
      best = std::move(made);
      order = candidate.order;
    }
    if (order == nullptr || sketch_.symbols.size() > 24) return best;
    return refined(*order, std::move(best));
  }

  /// Small changes as long as they are worth it: symbols one rank to either side, wires that become tags, tags that
  /// become wires. What cannot be known before there are routes.
  Composition refined(Order order, Composition best) const {
    int tries = most_tries;
    for (bool better = true; better && tries > 0;) {
      better = false;
      for (std::size_t s = 0; s < sketch_.symbols.size(); ++s)
        for (const int by : {1, -1}) {
          if (!may_move(order, s, by) || tries-- <= 0) continue;
          Order moved = order;
          moved.rank[s] += by;
          if (!improve(moved, with_tags(moved, best.placement.fold), best)) continue;
          order = std::move(moved);
          better = true;
        }
      for (const auto& [length, n, a] : longest_first(best)) {
        if (!may_turn(best.placement, n, a) || tries-- <= 0) continue;
        Tagged turned = best.placement.tagged;
        turned[n][a] = !turned[n][a];
        const Seen before = seen_in(sketch_, best.placement.tagged), now = seen_in(sketch_, turned);
        if (!covers(now.on_cycle, before.on_cycle) || !covers(now.joined, before.joined)) continue;
        if (improve(order, place(sketch_, shapes_, order, best.placement.fold, std::move(turned)), best)) better = true;
      }
    }
    return best;
  }

  /// What a placement scores at least, whatever its routes.
  double least_score(const Placement& placement) const {
    LayoutQuality quality = quality_of(placement);
    quality.length = least_length(sketch_, placement);
    return quality.score();
  }

  bool improve(const Order& order, Placement placement, Composition& best) const {
    if (least_score(placement) > best.quality.score() - worth_it) return false; // most, and routes are dear
    Composition made = routed(order, std::move(placement));
    if (made.quality.score() > best.quality.score() - worth_it) return false;
    best = std::move(made);
    return true;
  }

  /// A rank must not be left empty, a pinned symbol stays, and what runs with the flow must not run against it.
  bool may_move(const Order& order, std::size_t s, int by) const {
    const int to = order.rank[s] + by;
    if (order.sink[s] || to < 0 || to >= order.ranks || sketch_.symbols[s].pin.column >= 0) return false;
    for (const Net& net : sketch_.nets)
      for (const Arrow& arrow : net.arrows) {
        const auto from = static_cast<std::size_t>(net.from), end = static_cast<std::size_t>(arrow.to);
        if ((from != s && end != s) || from == end || order.sink[end] || order.rank[from] >= order.rank[end]) continue;
        if ((from == s ? to : order.rank[from]) >= (end == s ? to : order.rank[end])) return false;
      }
    for (std::size_t other = 0; other < order.rank.size(); ++other)
      if (other != s && !order.sink[other] && order.rank[other] == order.rank[s]) return true;
    return false;
  }

  /// Neighbours and what is pinned are always drawn, sinks never, and what the author or a loop needs stays.
  bool may_turn(const Placement& placement, std::size_t n, std::size_t a) const {
    const Arrow& arrow = sketch_.nets[n].arrows[a];
    const Spot &from = placement.spots[static_cast<std::size_t>(sketch_.nets[n].from)],
               &to = placement.spots[static_cast<std::size_t>(arrow.to)];
    if (by_hand(placement, sketch_.nets[n].from, arrow.to)) return false;
    const bool neighbours = from.row == to.row && to.column == from.column + 1;
    return arrow.line == Hints::Line::any && !arrow.in_loop && to.row >= 0 && !(neighbours && !placement.tagged[n][a]);
  }

  /// Arrows with the length of what is drawn of them; tags last.
  static std::vector<std::tuple<double, std::size_t, std::size_t>> longest_first(const Composition& composition) {
    std::vector<std::tuple<double, std::size_t, std::size_t>> all;
    for (std::size_t n = 0; n < composition.routes.of.size(); ++n)
      for (std::size_t a = 0; a < composition.routes.of[n].size(); ++a) {
        const Route& route = composition.routes.of[n][a];
        double length = 0;
        for (std::size_t i = 1; i < route.size(); ++i)
          length += std::abs(route[i].first - route[i - 1].first) + std::abs(route[i].second - route[i - 1].second);
        all.emplace_back(-length, n, a);
      }
    std::sort(all.begin(), all.end());
    return all;
  }

  Placement with_tags(const Order& order, const Fold& fold) const {
    const Placement bare = place(sketch_, shapes_, order, fold, no_tags(sketch_));
    const Placement tagged = place(sketch_, shapes_, order, fold, tags_for(sketch_, order, bare));
    return place(sketch_, shapes_, order, fold, without_far_ways(tags_for(sketch_, order, tagged), tagged));
  }

  /// The search for a line across a drawing that large takes longer than anyone needs to follow the line.
  Tagged without_far_ways(Tagged tags, const Placement& placement) const {
    if (sketch_.symbols.size() <= many_symbols) return tags;
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n)
      for (std::size_t a = 0; a < sketch_.nets[n].arrows.size(); ++a)
        if (sketch_.nets[n].arrows[a].bend.empty() &&
            placement.spots[static_cast<std::size_t>(sketch_.nets[n].from)].row !=
                placement.spots[static_cast<std::size_t>(sketch_.nets[n].arrows[a].to)].row)
          tags[n][a] = true;
    return tags;
  }

  /// An arrow that finds no separate way gets a tag, and the rest is placed again.
  Composition routed(const Order& order, Placement placement, RouteMemory* memory = nullptr) const {
    for (int round = 0;; ++round) {
      Routes routes = route(sketch_, placement, memory);
      if (routes.lost.empty() || round == 3) {
        LayoutQuality quality = quality_of(placement);
        quality.crossings = routes.crossings, quality.bends = routes.bends, quality.length = routes.length;
        quality.shared = static_cast<int>(routes.lost.size());
        return {std::move(placement), std::move(routes), quality};
      }
      Tagged tagged = placement.tagged;
      for (const auto& [n, a] : routes.lost) tagged[n][a] = true;
      placement = place(sketch_, shapes_, order, placement.fold, std::move(tagged));
    }
  }

  const Sketch& sketch_;
  std::vector<Shape> shapes_;
  std::vector<Order> orders_;
};

} // namespace

double LayoutQuality::text_on_screen() const {
  return port_size * std::min(screen_width / std::max(1.0, width), screen_height / std::max(1.0, height + head_height));
}

double LayoutQuality::score() const {
  const double aspect = width / std::max(1.0, height + head_height);
  return 8100 / text_on_screen() + 25 * crossings + 0.05 * length + 3 * bends + 22 * tags + 300 * shared +
         (aspect > 2.4 ? 400 * (aspect - 2.4) : 0);
}

Composition compose(const Sketch& sketch, const std::vector<Inside>& insides, const CompositionOptions& options) {
  return Composer(sketch, insides, options).best(options);
}

} // namespace hilda::graphics::draw

#include "tools/draw/composition.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace hilda::draw {
namespace {

constexpr int most_rows = 4;
constexpr std::size_t most_folds = 600;
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

Quality quality_of(const Placement& placement) {
  Quality quality;
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

class Composer {
public:
  Composer(const Sketch& sketch, const std::vector<Inside>& insides)
      : sketch_(sketch), shapes_(shapes_of(sketch, insides)) {
    // what has two sources alone may look better at the end of a wire, or not
    for (const std::size_t sources : {3U, 2U})
      if (orders_.empty() || order_of(sketch, sources).sink != orders_.front().sink)
        orders_.push_back(order_of(sketch, sources));
  }

  Composition best(const CompositionOptions& options) const {
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
          Quality quality = quality_of(placement);
          quality.length = guessed_length(sketch_, placement);
          candidates.push_back({quality.score(), &order, std::move(placement)});
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score < b.score; });
    const std::size_t routed_at_most = sketch_.symbols.size() <= 24 ? 8 : sketch_.symbols.size() <= 60 ? 3 : 1;
    if (candidates.size() > routed_at_most) candidates.resize(routed_at_most);
    Composition best;
    for (Candidate& candidate : candidates) {
      Composition made = routed(*candidate.order, std::move(candidate.placement));
      if (best.placement.spots.empty() || made.quality.score() < best.quality.score()) best = std::move(made);
    }
    return best;
  }

private:
  Placement with_tags(const Order& order, const Fold& fold) const {
    const Placement bare = place(sketch_, shapes_, order, fold, no_tags(sketch_));
    const Placement tagged = place(sketch_, shapes_, order, fold, tags_for(sketch_, order, bare));
    return place(sketch_, shapes_, order, fold, tags_for(sketch_, order, tagged));
  }

  /// An arrow that finds no way of its own gets a tag, and the rest is placed anew.
  Composition routed(const Order& order, Placement placement) const {
    for (int round = 0;; ++round) {
      Routes routes = route(sketch_, placement);
      if (routes.lost.empty() || round == 3) {
        Quality quality = quality_of(placement);
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

double Quality::text_on_screen() const {
  return port_size * std::min(screen_width / std::max(1.0, width), screen_height / std::max(1.0, height + head_height));
}

double Quality::score() const {
  const double aspect = width / std::max(1.0, height + head_height);
  return 8100 / text_on_screen() + 25 * crossings + 0.05 * length + 3 * bends + 22 * tags + 300 * shared +
         (aspect > 2.4 ? 400 * (aspect - 2.4) : 0);
}

Composition compose(const Sketch& sketch, const std::vector<Inside>& insides, const CompositionOptions& options) {
  return Composer(sketch, insides).best(options);
}

} // namespace hilda::draw

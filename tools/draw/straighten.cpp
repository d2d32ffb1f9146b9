#include "tools/draw/straighten.h"

#include <algorithm>
#include <map>

namespace hilda::draw {
namespace {

constexpr double symbol_gap = 15, line_gap = 9, frame_room = 24;

/// What has a height of its own: a symbol, or a net's pass.
struct Item {
  double* y = nullptr;
  double half = 0; ///< of its height
  bool line = false;
  /// A wire to the item of another rank: it is straight where both, with their ports' offsets, are level.
  struct Tie {
    std::size_t other = 0;
    double offset = 0, other_offset = 0;
    bool to_left = false;
  };
  std::vector<Tie> ties;
};

enum class Side { both, left, right };

/// Heights nearest to the wanted ones that keep their order and distances (pool adjacent violators).
std::vector<double> settled(const std::vector<double>& wanted, const std::vector<double>& weight,
                            const std::vector<double>& distance) {
  struct Pool {
    double sum, weight;
    std::size_t count;
  };
  std::vector<Pool> pools;
  double shift = 0;
  std::vector<double> shifts;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i > 0) shift += distance[i - 1];
    shifts.push_back(shift);
    pools.push_back({(wanted[i] - shift) * weight[i], weight[i], 1});
    while (pools.size() > 1) {
      const Pool &last = pools.back(), &before = pools[pools.size() - 2];
      if (before.sum / before.weight <= last.sum / last.weight) break;
      const Pool joined{before.sum + last.sum, before.weight + last.weight, before.count + last.count};
      pools.pop_back();
      pools.back() = joined;
    }
  }
  std::vector<double> heights;
  for (const Pool& pool : pools)
    for (std::size_t k = 0; k < pool.count; ++k) heights.push_back(pool.sum / pool.weight + shifts[heights.size()]);
  return heights;
}

class Straightener {
public:
  Straightener(const Sketch& sketch, const std::vector<Size>& sizes, const Wiring& wiring, Layout& layout)
      : sketch_(sketch), wiring_(wiring), layout_(layout), ranks_(static_cast<std::size_t>(layout.ranks)),
        framed_(!sketch.frames.empty()) {
    for (std::size_t s = 0; s < sketch.symbols.size(); ++s)
      add({&layout.y[s], sizes[s].height / 2, false, {}}, layout.rank[s]);
    for (std::size_t n = 0; n < sketch.nets.size(); ++n) add_passes(n);
    for (std::size_t n = 0; n < sketch.nets.size(); ++n) tie_ahead(n), tie_back(n);
    if (framed_) put_frames_in_place(sizes);
    for (auto& rank : ranks_)
      std::stable_sort(rank.begin(), rank.end(),
                       [this](std::size_t a, std::size_t b) { return *items_[a].y < *items_[b].y; });
  }

  void run() {
    for (int round = 0; round < 12 && framed_; ++round) {
      for (std::size_t r = 0; r < ranks_.size(); ++r) settle(r, Side::both, true);
      for (std::size_t r = ranks_.size(); r-- > 0;) settle(r, Side::both, true);
    }
    for (int round = 0; round < 12 && !framed_; ++round) {
      for (std::size_t r = 0; r < ranks_.size(); ++r) settle(r, Side::both, false);
      for (std::size_t r = ranks_.size(); r-- > 0;) settle(r, Side::both, false);
    }
    // lines last: each straight on from where it comes, so that what is left of a bend is at its end
    for (std::size_t r = 0; r < ranks_.size(); ++r) settle(r, Side::left, true);
  }

private:
  std::size_t add(Item item, int rank) {
    items_.push_back(std::move(item));
    ranks_[static_cast<std::size_t>(rank)].push_back(items_.size() - 1);
    return items_.size() - 1;
  }

  /// What an opened subsystem at the top covers: ranks and heights.
  struct Cover {
    int first = 1 << 30, last = -1;
    double low = 1e300, high = -1e300;
  };

  int top_frame(int frame) const {
    while (frame >= 0 && sketch_.frames[static_cast<std::size_t>(frame)].parent >= 0)
      frame = sketch_.frames[static_cast<std::size_t>(frame)].parent;
    return frame;
  }

  /// Each opened subsystem becomes one item a rank, which stays; what lies inside it stays too.
  void put_frames_in_place(const std::vector<Size>& sizes) {
    std::map<int, Cover> covers;
    for (std::size_t s = 0; s < sketch_.symbols.size(); ++s) {
      const int frame = top_frame(sketch_.symbols[s].frame);
      if (frame < 0) continue;
      Cover& cover = covers[frame];
      cover.first = std::min(cover.first, layout_.rank[s]), cover.last = std::max(cover.last, layout_.rank[s]);
      cover.low = std::min(cover.low, layout_.y[s] - sizes[s].height / 2 - frame_room);
      cover.high = std::max(cover.high, layout_.y[s] + sizes[s].height / 2 + frame_room);
    }
    covered_.reserve(covers.size());
    for (const auto& [frame, cover] : covers) {
      covered_.push_back((cover.low + cover.high) / 2);
      for (int r = cover.first; r <= cover.last; ++r) {
        std::erase_if(ranks_[static_cast<std::size_t>(r)],
                      [&](std::size_t item) { return *items_[item].y > cover.low && *items_[item].y < cover.high; });
        add({&covered_.back(), (cover.high - cover.low) / 2, false, {}}, r);
      }
    }
  }

  void add_passes(std::size_t n) {
    for (Pass& pass : layout_.ahead[n]) ahead_[{n, pass.rank}] = add({&pass.y, 0, true, {}}, pass.rank);
    for (Pass& pass : layout_.back[n]) back_[{n, pass.rank}] = add({&pass.y, 0, true, {}}, pass.rank);
  }

  double port_offset(const std::vector<PortPlace>& ports, std::size_t net, int end, int symbol) const {
    for (const PortPlace& port : ports)
      if (port.net == static_cast<int>(net) && port.end == end)
        return port.y - layout_.y[static_cast<std::size_t>(symbol)];
    return 0;
  }

  /// `left` lies in the rank before `right`.
  void tie(std::size_t left, double left_offset, std::size_t right, double right_offset) {
    items_[left].ties.push_back({right, left_offset, right_offset, false});
    items_[right].ties.push_back({left, right_offset, left_offset, true});
  }

  void tie_ahead(std::size_t n) {
    const Net& net = sketch_.nets[n];
    const int from = layout_.rank[static_cast<std::size_t>(net.from)];
    const double exit = port_offset(wiring_.outputs[static_cast<std::size_t>(net.from)], n, -1, net.from);
    const auto before = [&](int rank) {
      return rank == from + 1 ? std::pair(static_cast<std::size_t>(net.from), exit)
                              : std::pair(ahead_.at({n, rank - 1}), 0.0);
    };
    for (const Pass& pass : layout_.ahead[n]) {
      const auto [item, offset] = before(pass.rank);
      tie(item, offset, ahead_.at({n, pass.rank}), 0);
    }
    for (std::size_t e = 0; e < net.to.size(); ++e) {
      const int symbol = net.to[e].symbol, rank = layout_.rank[static_cast<std::size_t>(symbol)];
      if (rank <= from) continue;
      const auto [item, offset] = before(rank);
      const double entry =
          port_offset(wiring_.inputs[static_cast<std::size_t>(symbol)], n, static_cast<int>(e), symbol);
      tie(item, offset, static_cast<std::size_t>(symbol), entry);
    }
  }

  void tie_back(std::size_t n) {
    for (const Pass& pass : layout_.back[n])
      if (const auto before = back_.find({n, pass.rank - 1}); before != back_.end())
        tie(before->second, 0, back_.at({n, pass.rank}), 0);
  }

  void settle(std::size_t r, Side side, bool lines_only) {
    const std::vector<std::size_t>& rank = ranks_[r];
    std::vector<double> wanted, weight, distance;
    for (std::size_t i = 0; i < rank.size(); ++i) {
      const Item& item = items_[rank[i]];
      double sum = 0;
      int count = 0;
      for (const Item::Tie& tie : item.ties) {
        if (side == Side::left && !tie.to_left) continue;
        sum += *items_[tie.other].y + tie.other_offset - tie.offset;
        ++count;
      }
      // at the end a symbol with one wire goes along with it, the others stay
      const bool stays = count == 0 || (lines_only && !item.line && (framed_ || count != 1));
      wanted.push_back(stays ? *item.y : sum / count);
      weight.push_back(lines_only ? (stays ? 1e6 : 1.0) : item.line ? 3.0 : 0.5 + count);
      if (i == 0) continue;
      const Item& above = items_[rank[i - 1]];
      distance.push_back(above.half + item.half + (above.line && item.line ? line_gap : symbol_gap));
    }
    const std::vector<double> heights = settled(wanted, weight, distance);
    for (std::size_t i = 0; i < rank.size(); ++i) *items_[rank[i]].y = heights[i];
  }

  const Sketch& sketch_;
  const Wiring& wiring_;
  Layout& layout_;
  std::vector<Item> items_;                                         ///< the symbols first
  std::vector<std::vector<std::size_t>> ranks_;                     ///< items from the top
  std::map<std::pair<std::size_t, int>, std::size_t> ahead_, back_; ///< by net and rank
  bool framed_ = false;
  std::vector<double> covered_; ///< middles of opened subsystems
};

} // namespace

void straighten(const Sketch& sketch, const std::vector<Size>& sizes, const Wiring& wiring, Layout& layout) {
  Straightener(sketch, sizes, wiring, layout).run();
}

} // namespace hilda::draw

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/layout/ranks.h"

#include <algorithm>
#include <cstddef>

namespace hilda::graphics::draw {
namespace {

struct Arc {
  int from, to, weight;
};

std::vector<Arc> arcs_of(const Sketch& sketch, const std::vector<bool>& left_out) {
  std::vector<Arc> arcs;
  for (const Net& net : sketch.nets)
    for (const Arrow& arrow : net.arrows)
      if (arrow.to != net.from && !left_out[static_cast<std::size_t>(arrow.to)])
        arcs.push_back({net.from, arrow.to, static_cast<int>(arrow.taps.size())});
  return arcs;
}

/// Arcs that close a cycle when the flow is followed depth first, from where nothing comes in and then in the order of
/// the file.
class FlowFollower {
public:
  FlowFollower(std::size_t symbols, const std::vector<Arc>& arcs, int start)
      : arcs_(arcs), out_(symbols), state_(symbols, 0), feedback_(arcs.size(), false) {
    std::vector<int> incoming(symbols, 0);
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      out_[static_cast<std::size_t>(arcs[a].from)].push_back(a);
      ++incoming[static_cast<std::size_t>(arcs[a].to)];
    }
    if (start >= 0) follow(static_cast<std::size_t>(start));
    for (const bool sources : {true, false})
      for (std::size_t s = 0; s < symbols; ++s)
        if (state_[s] == 0 && (!sources || incoming[s] == 0)) follow(s);
  }
  const std::vector<bool>& feedback() const { return feedback_; }

private:
  /// Without recursion: a chain may be as long as the diagram.
  void follow(std::size_t start) {
    std::vector<std::pair<std::size_t, std::size_t>> path{{start, 0}};
    state_[start] = 1;
    while (!path.empty()) {
      auto& [symbol, next] = path.back();
      if (next == out_[symbol].size()) {
        state_[symbol] = 2;
        path.pop_back();
        continue;
      }
      const std::size_t arc = out_[symbol][next++];
      const auto to = static_cast<std::size_t>(arcs_[arc].to);
      if (state_[to] == 1) feedback_[arc] = true;
      if (state_[to] == 0) {
        state_[to] = 1;
        path.emplace_back(to, 0);
      }
    }
  }

  const std::vector<Arc>& arcs_;
  std::vector<std::vector<std::size_t>> out_;
  std::vector<int> state_; ///< 0 not seen, 1 on the path, 2 done
  std::vector<bool> feedback_;
};

/// Feedback is what runs against the order of the file, where that gives less of it: people write along the flow.
std::vector<bool> feedback_of(std::size_t symbols, const std::vector<Arc>& arcs, int start) {
  std::vector<bool> followed = FlowFollower(symbols, arcs, start).feedback(), written(arcs.size());
  if (start >= 0) return followed;
  int weight_followed = 0, weight_written = 0;
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    written[a] = arcs[a].to < arcs[a].from;
    if (followed[a]) weight_followed += arcs[a].weight;
    if (written[a]) weight_written += arcs[a].weight;
  }
  return weight_written < weight_followed ? written : followed;
}

/// Symbols move towards their heavier side as far as their neighbours let them.
void balance(std::vector<int>& rank, const std::vector<Arc>& arcs) {
  const int last = *std::max_element(rank.begin(), rank.end());
  for (int round = 0; round < 8; ++round) {
    bool moved = false;
    for (std::size_t s = rank.size(); s-- > 0;) {
      int low = 0, high = last, in = 0, out = 0;
      for (const Arc& arc : arcs) {
        if (arc.to == static_cast<int>(s)) low = std::max(low, rank[static_cast<std::size_t>(arc.from)] + 1), ++in;
        if (arc.from == static_cast<int>(s)) high = std::min(high, rank[static_cast<std::size_t>(arc.to)] - 1), ++out;
      }
      const int wanted = out > in ? high : low;
      if (in + out == 0 || wanted == rank[s] || low > high) continue;
      rank[s] = wanted;
      moved = true;
    }
    if (!moved) return;
  }
}

} // namespace

std::vector<int> ranks_of(const Sketch& sketch, const std::vector<bool>& left_out, int start) {
  const std::vector<Arc> all = arcs_of(sketch, left_out);
  const std::vector<bool> feedback = feedback_of(sketch.symbols.size(), all, start);
  std::vector<Arc> arcs;
  for (std::size_t a = 0; a < all.size(); ++a)
    if (!feedback[a]) arcs.push_back(all[a]);
  std::vector<int> rank(sketch.symbols.size(), 0);
  if (rank.empty()) return rank;
  // longest path; as many rounds as ranks at most
  for (bool moved = true; moved;) {
    moved = false;
    for (const Arc& arc : arcs) {
      int& to = rank[static_cast<std::size_t>(arc.to)];
      const int least = rank[static_cast<std::size_t>(arc.from)] + 1;
      if (to < least) to = least, moved = true;
    }
  }
  balance(rank, arcs);
  const int least = *std::min_element(rank.begin(), rank.end());
  for (int& each : rank) each -= least;
  return rank;
}

} // namespace hilda::graphics::draw

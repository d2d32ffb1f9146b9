// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/plan/order.h"

#include "engine/run/detail/plan/boost_graph.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <queue>

namespace hilda::run {

namespace {

/// Guards, the safety stage and driven parameters first, then blocks by type and, within a type, by piece.
std::size_t key_of(const System& system, const Node& node) {
  if (node.kind == Node::Kind::guard || node.kind == Node::Kind::safety || node.kind == Node::Kind::parameters)
    return 0;
  return 1 + system.blocks[node.block].type->order * 4 + static_cast<std::size_t>(node.kind);
}

using Bucket = std::priority_queue<NodeIndex, std::vector<NodeIndex>, std::greater<>>;

/// A set of small numbers.
class Keys {
public:
  explicit Keys(std::size_t count) : words_(count / bits + 1, 0) {}
  void insert(std::size_t key) { words_[key / bits] |= mask(key); }
  void erase(std::size_t key) { words_[key / bits] &= ~mask(key); }
  bool contains(std::size_t key) const { return (words_[key / bits] & mask(key)) != 0; }
  /// The least from `key` on; none: a number beyond all.
  std::size_t from(std::size_t key) const {
    std::uint64_t word = key / bits < words_.size() ? words_[key / bits] & (~std::uint64_t{0} << key % bits) : 0;
    for (std::size_t i = key / bits; i < words_.size(); word = ++i < words_.size() ? words_[i] : 0)
      if (word != 0) return i * bits + static_cast<std::size_t>(std::countr_zero(word));
    return words_.size() * bits;
  }

private:
  static constexpr std::size_t bits = 64;
  static std::uint64_t mask(std::size_t key) { return std::uint64_t{1} << key % bits; }
  std::vector<std::uint64_t> words_;
};

/// The nodes that are ready, by key, and which key goes next.
class Ready {
public:
  Ready(std::size_t keys, std::size_t nodes)
      : buckets_(keys), offered_(keys, 0), filled_(keys), longest_run_(nodes < large ? nodes : in_the_cache) {}

  bool empty() const { return left_ == 0; }
  void offer(std::size_t key, NodeIndex node) {
    ++left_;
    filled_.insert(key);
    buckets_[key].push(node); // nodes rise with the place in the file
    offered_[key] = ++offers_;
  }
  NodeIndex take() {
    if (run_ == longest_run_ || !filled_.contains(current_)) turn();
    ++run_;
    --left_;
    Bucket& bucket = buckets_[current_];
    const NodeIndex node = bucket.top();
    bucket.pop();
    if (bucket.empty()) filled_.erase(current_);
    return node;
  }

private:
  /// What a diagram of so many nodes holds does not fit into the processor's cache: there a run of equal blocks
  /// continues later, so that who reads them finds what they have put out.
  static constexpr std::size_t large = 10'000, in_the_cache = 64;

  void turn() {
    cut_ = cut_ || run_ == longest_run_;
    run_ = 0;
    if (!cut_) {
      current_ = filled_.from(0);
      return;
    }
    // The key that was offered last reads what has just run.
    std::size_t latest = 0, next = current_;
    for (std::size_t key = filled_.from(0); key < buckets_.size(); key = filled_.from(key + 1))
      if (key != current_ && offered_[key] > latest) latest = offered_[key], next = key;
    current_ = next;
  }

  std::vector<Bucket> buckets_;
  std::vector<std::size_t> offered_; ///< by key: the number of its last offer
  Keys filled_;                      ///< those with something ready
  std::size_t left_ = 0, offers_ = 0;
  std::size_t current_ = 0, run_ = 0;
  const std::size_t longest_run_;
  bool cut_ = false; ///< a run has been
};

/// Keys as they are among one another: a catalogue has far more types than a diagram uses. Returns how many.
std::size_t renumber(Indexed<NodeIndex, std::size_t>& keys) {
  const auto largest = std::max_element(keys.begin(), keys.end());
  std::vector<std::size_t> place(largest == keys.end() ? 0 : *largest + 1, 0);
  for (const std::size_t key : keys) place[key] = 1;
  std::size_t count = 0;
  for (std::size_t& each : place)
    if (each != 0) each = count++;
  for (std::size_t& key : keys) key = place[key];
  return count;
}

} // namespace

std::optional<std::vector<NodeIndex>> order(const System& system, const DependencyGraph& graph) {
  const std::size_t n = graph.nodes.size();
  Indexed<NodeIndex, int> missing(n, 0);
  for (const Edge& e : graph.edges) ++missing[e.to];

  Indexed<NodeIndex, std::size_t> key(n);
  for (const NodeIndex i : graph.nodes.indices()) key[i] = key_of(system, graph.nodes[i]);
  Ready ready(renumber(key), n);
  for (const NodeIndex i : graph.nodes.indices())
    if (missing[i] == 0) ready.offer(key[i], i);

  const BoostGraph edges = boost_graph(graph);
  std::vector<NodeIndex> result;
  result.reserve(n);
  while (!ready.empty()) {
    const NodeIndex node = ready.take();
    result.push_back(node);
    const auto [begin, end] = boost::out_edges(node.number(), edges);
    for (auto e = begin; e != end; ++e) {
      const NodeIndex next(boost::target(*e, edges));
      if (--missing[next] == 0) ready.offer(key[next], next);
    }
  }
  if (result.size() != n) return std::nullopt;
  return result;
}

} // namespace hilda::run

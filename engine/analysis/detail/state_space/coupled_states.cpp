// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/state_space/coupled_states.h"

#include <algorithm>

namespace hilda::analysis {
namespace {

using Index = Eigen::Index;

/// Tarjan's search. It keeps its own stack: a delay line of thousands of states would overflow the program's.
class Search {
public:
  explicit Search(const Eigen::MatrixXd& links)
      : links_(links), order_(count(), 0), lowest_(count(), 0), open_(count(), false) {}

  std::vector<std::vector<Index>> run() {
    for (Index state = 0; state < links_.rows(); ++state)
      if (order_[at(state)] == 0) visit(state);
    return std::move(found_);
  }

private:
  struct Visit {
    Index state = 0, next = 0;
  };

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  std::size_t count() const { return at(links_.rows()); }

  void enter(Index state) {
    order_[at(state)] = lowest_[at(state)] = ++visited_;
    open_[at(state)] = true;
    waiting_.push_back(state);
    way_.push_back({state, 0});
  }

  void visit(Index first) {
    enter(first);
    while (!way_.empty()) {
      const Index state = way_.back().state, next = way_.back().next++;
      if (next == links_.rows()) {
        leave(state);
        continue;
      }
      if (links_(next, state) == 0) continue;
      if (order_[at(next)] == 0)
        enter(next);
      else if (open_[at(next)])
        lowest_[at(state)] = std::min(lowest_[at(state)], order_[at(next)]);
    }
  }

  void leave(Index state) {
    way_.pop_back();
    if (!way_.empty()) {
      const std::size_t before = at(way_.back().state);
      lowest_[before] = std::min(lowest_[before], lowest_[at(state)]);
    }
    if (lowest_[at(state)] != order_[at(state)]) return;
    std::vector<Index>& set = found_.emplace_back();
    do {
      set.push_back(waiting_.back());
      open_[at(waiting_.back())] = false;
      waiting_.pop_back();
    } while (set.back() != state);
    std::sort(set.begin(), set.end());
  }

  const Eigen::MatrixXd& links_;
  std::vector<Index> order_, lowest_;
  std::vector<bool> open_;
  std::vector<Index> waiting_;
  std::vector<Visit> way_;
  std::vector<std::vector<Index>> found_;
  Index visited_ = 0;
};

} // namespace

std::vector<std::vector<Index>> coupled_states(const Eigen::MatrixXd& links) { return Search(links).run(); }

} // namespace hilda::analysis

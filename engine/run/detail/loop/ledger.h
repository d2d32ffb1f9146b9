// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/memory.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::run {

/// The account of energy of a run: what flows through its power ports, from the signals as they are, and what the
/// elements between them store ("hilda.energy/1"). What an element gave out and did not take in, beyond what it had
/// stored, it has made; where that is negative, it has dissipated.
///
/// A port's power is effort.flow, positive from its `from` to its `to`. Its energy is the sum over its ticks of
///   backward   T e(k).f(k), the first tick included
///   forward    T e(k-1).f(k-1)
///   trapezoid  T (e(k).f(k) + e(k-1).f(k-1))/2
/// with compensated addition (Neumaier 1974), so that what is left over between ports is not a rounding of the sums.
class Ledger {
public:
  using ElementIndex = Index<struct ElementTag>;
  struct Port {
    std::string name, rule, from, to;
    double energy = 0, lowest = 0, highest = 0; ///< J, since the start
  };
  struct Element {
    std::string path;
    double stored_initially = 0, stored = 0; ///< J, of all its blocks that say so, but for those of elements inside it
    double received = 0, given = 0;          ///< J, through its ports
    double made() const { return stored - stored_initially + given - received; }
  };

  Ledger() = default;
  /// `memory` must stay where it is. Elements are those that ports name.
  Ledger(const System& system, const Memory& memory);

  /// After all outputs of a tick and before any update. No allocation.
  void tick(std::int64_t index) noexcept;

  bool empty() const { return taps_.empty(); }
  std::vector<Port> ports() const;
  /// In the order in which ports name them.
  Indexed<ElementIndex, Element> elements() const;
  /// How far the account is from closing, J: what all elements made, against what all of them store more than at the
  /// start and what flowed to and from no one. Rounding alone.
  double residual() const;

  /// For the log: energy (J) and power (W) of each port, by index; they stay where they are.
  const double* energy_of(std::size_t port) const { return &flows_[port].energy; }
  const double* power_of(std::size_t port) const { return &flows_[port].power; }
  std::int64_t divider_of(std::size_t port) const { return taps_[port].divider; }

  /// For checkpoints.
  void save(std::vector<unsigned char>& bytes) const;
  bool load(const std::vector<unsigned char>& bytes, std::size_t& at);
  /// Continues where another account is that has the same ports and elements; else false, and it restarts.
  bool take_over(const Ledger& from);

private:
  enum class Rule { backward, forward, trapezoid };
  /// Where a port reads, fixed.
  struct Tap {
    const double *effort = nullptr, *flow = nullptr;
    int count = 0;
    Rule rule = Rule::backward;
    std::int64_t divider = 1;
    double period = 0;
    ElementIndex from{}, to{};
  };
  /// What a port counts.
  struct Flow {
    double sum = 0, rest = 0, power = 0, energy = 0, lowest = 0, highest = 0;
    std::int64_t ticks = 0;
    void add(double work) noexcept;
  };
  /// A block that stores energy.
  struct Store {
    double (*stored)(const void*) = nullptr;
    const void* record = nullptr;
    std::int64_t divider = 1;
    ElementIndex element{};
  };
  struct Level {
    double initially = 0, now = 0;
  };

  ElementIndex element(const std::string& path);

  std::vector<Port> names_;
  Indexed<ElementIndex, std::string> elements_;
  std::vector<Tap> taps_;
  std::vector<Flow> flows_;
  std::vector<Store> stores_;
  std::vector<Level> levels_;
};

/// "rig.robot made 0.4845 J; controller dissipated 0.4601 J; ...": the largest first, and what is less than a millionth
/// of the largest left out. Empty without elements.
std::string account_text(const Ledger& ledger);

} // namespace hilda::run

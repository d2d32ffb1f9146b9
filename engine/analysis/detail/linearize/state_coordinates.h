// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <Eigen/Core>
#include <string>
#include <vector>

namespace hilda::analysis {

/// The state of a running system as a list of real coordinates, in one fixed order: plain numbers as they are, delay
/// lines from their oldest entry on, a quaternion by a rotation vector in body axes (three coordinates for four
/// numbers). Integers, booleans and random generators are held: they have no coordinates.
class StateCoordinates {
public:
  explicit StateCoordinates(Runtime& runtime);
  /// Of these blocks alone.
  StateCoordinates(Runtime& runtime, const Indexed<BlockIndex, bool>& blocks);

  Eigen::Index size() const { return static_cast<Eigen::Index>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; } ///< "delay.line[3][0]", "arm.o~x"
  /// Is this one carried by the solver?
  bool continuous(Eigen::Index i) const { return continuous_[static_cast<std::size_t>(i)]; }
  /// States without coordinates that a block of the system has: paths.
  const std::vector<std::string>& held() const { return held_; }

  /// All numbers, quaternions in full.
  std::vector<double> numbers() const;
  /// How large numbers(), or rates, are in each coordinate; of a quaternion its length.
  Eigen::VectorXd sizes(const std::vector<double>& numbers) const;
  /// The size of what a coordinate stands for, to choose a step.
  double scale(Eigen::Index i) const;
  /// Moves the present state along one coordinate.
  void move(Eigen::Index i, double by);
  /// From one state to another of the same run, in coordinates about `from`.
  Eigen::VectorXd difference(const std::vector<double>& from, const std::vector<double>& to) const;
  /// Derivatives that the solver used last, in the order of numbers(); 0 for what it does not carry.
  std::vector<double> rates() const;
  /// d/dt of the coordinates about a state `at` that moves with `rate`, at another state with its own rate.
  Eigen::VectorXd rate_difference(const std::vector<double>& at, const std::vector<double>& rate,
                                  const std::vector<double>& other, const std::vector<double>& other_rate) const;

private:
  /// Numbers of one slot that lie behind each other.
  struct Piece {
    double* data = nullptr;
    const double* rate = nullptr;
    const hilda_ring* ring = nullptr;
    std::size_t count = 0; ///< numbers
    bool quaternion = false;
    std::size_t first_number = 0;
    Eigen::Index first_coordinate = 0;
  };
  void add_slot(Runtime& runtime, BlockIndex block, SlotIndex slot, bool coordinates);
  void add(const std::string& name, Piece piece, bool continuous);
  std::size_t place(const Piece& piece, std::size_t i) const;
  const Piece& piece_of(Eigen::Index coordinate) const;

  std::vector<Piece> pieces_;
  std::vector<std::string> names_, held_;
  std::vector<bool> continuous_;
  std::size_t numbers_ = 0;
};

} // namespace hilda::analysis

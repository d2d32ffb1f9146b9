// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/linearize/state_coordinates.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hilda::analysis {
namespace {

Eigen::Quaterniond turn(const double* wxyz) { return {wxyz[0], wxyz[1], wxyz[2], wxyz[3]}; }

/// Rotation vector of a small rotation; exact to second order.
Eigen::Vector3d small_rotation(const Eigen::Quaterniond& q) { return (q.w() < 0 ? -2.0 : 2.0) * q.vec() / q.norm(); }

/// Angular velocity in body axes from a quaternion and its rate.
Eigen::Vector3d body_rate(const double* q, const double* rate) {
  return 2.0 * (turn(q).conjugate() * turn(rate)).vec() / turn(q).squaredNorm();
}

} // namespace

StateCoordinates::StateCoordinates(Runtime& runtime)
    : StateCoordinates(runtime, Indexed<BlockIndex, bool>(runtime.system().blocks.size(), true)) {}

StateCoordinates::StateCoordinates(Runtime& runtime, const Indexed<BlockIndex, bool>& blocks) {
  const System& system = runtime.system();
  for (const BlockIndex b : system.blocks.indices()) {
    const BlockType& layout = runtime.memory().layout(b);
    for (const SlotIndex s : layout.slots.indices())
      if (layout.slots[s].role == HILDA_STATE) add_slot(runtime, b, s, blocks[b]);
  }
}

void StateCoordinates::add_slot(Runtime& runtime, BlockIndex block, SlotIndex slot_index, bool coordinates) {
  const Slot& slot = runtime.memory().layout(block).slots[slot_index];
  const std::string name = runtime.system().blocks[block].path + "." + slot.name;
  if (slot.is(HILDA_MODE)) return; // what a block is in; it is not a coordinate, and every Integrator has one
  if (slot.element != HILDA_F64 || slot.is(HILDA_RNG)) {
    held_.push_back(name);
    return;
  }
  if (!coordinates) return;
  const Span span = runtime.memory().span(block, slot_index);
  Piece piece;
  piece.data = static_cast<double*>(span.data);
  piece.count = span.count;
  const bool continuous = slot.is(HILDA_CONTINUOUS);
  if (continuous) piece.rate = static_cast<const double*>(runtime.memory().second(block, slot_index).data);
  if (slot.is(HILDA_RING)) piece.ring = runtime.memory().ring(block, slot_index);
  const bool turns = !slot.is(HILDA_RING) && (slot.kind == HILDA_QUATERNION || slot.kind == HILDA_POSE);
  if (!turns) return add(name, piece, continuous);
  const std::size_t before = slot.kind == HILDA_POSE ? 3 : 0;
  Piece orientation = piece;
  piece.count = before;
  orientation.data += before;
  if (continuous) orientation.rate += before;
  orientation.count = 4;
  orientation.quaternion = true;
  if (before > 0) add(name, piece, continuous);
  add(name, orientation, continuous);
}

void StateCoordinates::add(const std::string& name, Piece piece, bool continuous) {
  if (piece.count == 0) return;
  piece.first_number = numbers_;
  piece.first_coordinate = size();
  numbers_ += piece.count;
  const std::size_t width =
      piece.ring == nullptr ? 0
                            : static_cast<std::size_t>(piece.ring->rows) * static_cast<std::size_t>(piece.ring->cols);
  const std::size_t coordinates = piece.quaternion ? 3 : piece.count;
  for (std::size_t i = 0; i < coordinates; ++i) {
    if (piece.quaternion)
      names_.push_back(fmt::format("{}~{}", name, "xyz"[i]));
    else if (piece.ring != nullptr)
      names_.push_back(fmt::format("{}[{}][{}]", name, i / width, i % width));
    else
      names_.push_back(piece.count == 1 ? name : fmt::format("{}[{}]", name, i));
    continuous_.push_back(continuous);
  }
  pieces_.push_back(piece);
}

/// Where number i of a piece lies: of a delay line counted from its head, the oldest entry.
std::size_t StateCoordinates::place(const Piece& piece, std::size_t i) const {
  if (piece.ring == nullptr) return i;
  const std::size_t width = piece.count / static_cast<std::size_t>(piece.ring->capacity);
  return (i + static_cast<std::size_t>(piece.ring->head) * width) % piece.count;
}

const StateCoordinates::Piece& StateCoordinates::piece_of(Eigen::Index coordinate) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), coordinate,
                                      [](Eigen::Index i, const Piece& p) { return i < p.first_coordinate; });
  return *(after - 1);
}

std::vector<double> StateCoordinates::numbers() const {
  std::vector<double> all(numbers_);
  for (const Piece& piece : pieces_) {
    const auto head = static_cast<std::ptrdiff_t>(place(piece, 0));
    const double *begin = piece.data, *end = begin + piece.count;
    std::rotate_copy(begin, begin + head, end, all.begin() + static_cast<std::ptrdiff_t>(piece.first_number));
  }
  return all;
}

std::vector<double> StateCoordinates::rates() const {
  std::vector<double> all(numbers_, 0.0);
  for (const Piece& piece : pieces_)
    if (piece.rate != nullptr)
      std::copy_n(piece.rate, piece.count, all.begin() + static_cast<std::ptrdiff_t>(piece.first_number));
  return all;
}

Eigen::VectorXd StateCoordinates::sizes(const std::vector<double>& numbers) const {
  Eigen::VectorXd all(size());
  for (const Piece& piece : pieces_) {
    const Eigen::Map<const Eigen::VectorXd> own(numbers.data() + piece.first_number,
                                                static_cast<Eigen::Index>(piece.count));
    if (piece.quaternion)
      all.segment<3>(piece.first_coordinate).setConstant(own.norm());
    else
      all.segment(piece.first_coordinate, own.size()) = own.cwiseAbs();
  }
  return all;
}

double StateCoordinates::scale(Eigen::Index i) const {
  const Piece& piece = piece_of(i);
  if (piece.quaternion) return 1.0;
  return std::max(1.0, std::abs(piece.data[place(piece, static_cast<std::size_t>(i - piece.first_coordinate))]));
}

void StateCoordinates::move(Eigen::Index i, double by) {
  const Piece& piece = piece_of(i);
  const Eigen::Index within = i - piece.first_coordinate;
  if (!piece.quaternion) {
    piece.data[place(piece, static_cast<std::size_t>(within))] += by;
    return;
  }
  const Eigen::Quaterniond q =
      turn(piece.data) * Eigen::Quaterniond(Eigen::AngleAxisd(by, Eigen::Vector3d::Unit(within)));
  piece.data[0] = q.w(), piece.data[1] = q.x(), piece.data[2] = q.y(), piece.data[3] = q.z();
}

Eigen::VectorXd StateCoordinates::difference(const std::vector<double>& from, const std::vector<double>& to) const {
  Eigen::VectorXd d(size());
  for (const Piece& piece : pieces_) {
    const double *a = from.data() + piece.first_number, *b = to.data() + piece.first_number;
    if (piece.quaternion) {
      d.segment<3>(piece.first_coordinate) = small_rotation(turn(a).conjugate() * turn(b));
      continue;
    }
    for (std::size_t i = 0; i < piece.count; ++i)
      d[piece.first_coordinate + static_cast<Eigen::Index>(i)] = b[i] - a[i];
  }
  return d;
}

Eigen::VectorXd StateCoordinates::rate_difference(const std::vector<double>& at, const std::vector<double>& rate,
                                                  const std::vector<double>& other,
                                                  const std::vector<double>& other_rate) const {
  Eigen::VectorXd d(size());
  for (const Piece& piece : pieces_) {
    const std::size_t n = piece.first_number;
    if (piece.quaternion) {
      // With R = R_0 exp(phi): dphi/dt = w - w_0 - w_0 x phi, all in body axes.
      const Eigen::Vector3d w0 = body_rate(&at[n], &rate[n]), w = body_rate(&other[n], &other_rate[n]);
      const Eigen::Vector3d phi = small_rotation(turn(&at[n]).conjugate() * turn(&other[n]));
      d.segment<3>(piece.first_coordinate) = w - w0 - w0.cross(phi);
      continue;
    }
    for (std::size_t i = 0; i < piece.count; ++i)
      d[piece.first_coordinate + static_cast<Eigen::Index>(i)] = other_rate[n + i] - rate[n + i];
  }
  return d;
}

} // namespace hilda::analysis

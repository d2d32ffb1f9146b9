// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hilda/types.h>
#include <optional>
#include <string>
#include <vector>

namespace hilda {

/// More joints than this are refused: the model's matrices have room for them and lie in the record, not on the heap.
inline constexpr int most_joints = 12;

/// One row of the table: a body and the frame at its far end. Denavit and Hartenberg's standard form: from the frame
/// before it, Rz(q + q0) Tz(lambda) Tx(length) Rx(alpha).
struct ArmLink {
  bool moves = true;                                ///< a joint; else fixed to the body before it
  double q0 = 0, lambda = 0, length = 0, alpha = 0; ///< rad, m, m, rad
  double mass = 0;                                  ///< kg
  Vector3 com = Vector3::Zero();     ///< m, from the origin of the frame *before* the link, in the link's axes
  Matrix3 inertia = Matrix3::Zero(); ///< kg m2, about the centre of mass, link's axes
};

/// A serial arm on a free base.
struct ArmTable {
  double base_mass = 0;                   ///< kg
  Matrix3 base_inertia = Matrix3::Zero(); ///< kg m2, about the base's centre of mass, base axes
  Vector3 mount = Vector3::Zero();        ///< m, where the arm begins, from the base's centre of mass; axes parallel
  std::vector<ArmLink> links;
  int sensor = 0; ///< how many links lie between base and force/torque sensor, which sits in the frame of the last

  int joints() const;
};

/// Reads a table as text (diagrams/tables/dyba_2023.txt shows the form). None after errors, of which all that were
/// found are in `errors`, each as "file:line: the fault and what to do".
std::optional<ArmTable> read_arm_table(const char* path, std::vector<std::string>& errors);

} // namespace hilda

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/telegram.h"

#include <hilda/types.h>

namespace hilda::kuka {

/// Axes in which a Cartesian correction counts: those of the BASE that is active on the robot, or those of the tool.
enum class CorrectionFrame { base, tool };

/// X Y Z (mm) and A B C (deg), R = Rz(A) Ry(B) Rx(C), as a pose (m, quaternion).
Pose pose_from_wire(const Six& wire);
/// The inverse; -180 < A, C <= 180, -90 <= B <= 90; where B = +-90 only A and C together mean anything, and C is 0.
Six wire_from_pose(const Pose& pose);

/// `from` moved by a correction: base axes p + d, R(ABC) R; tool axes p + R d, R R(ABC). The rotation is about the
/// tool's origin.
Pose corrected(const Pose& from, const Six& correction, CorrectionFrame frame);
/// The correction that leads from one pose to another.
Six correction_between(const Pose& from, const Pose& to, CorrectionFrame frame);
/// rad
double angle_between(const Quaternion& a, const Quaternion& b);

Six degrees_from_radians(const Vector6& angles);
Vector6 radians_from_degrees(const Six& angles);

} // namespace hilda::kuka

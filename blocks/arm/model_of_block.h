// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all blocks that carry a model of the arm do alike: read the table, give "n" its number, build the model.

#include "blocks/arm/arm_model.h"

#include <hilda/block.h>
#include <memory>

namespace hilda {

/// Reads the table and reports every error at the block's parameter `table`. None after errors.
inline std::optional<ArmTable> reported_table(const Instance& self, const char* path) {
  std::vector<std::string> errors;
  std::optional<ArmTable> table = read_arm_table(path, errors);
  for (const std::string& error : errors) self.report("table", error);
  return table;
}

/// The number of joints, for the shapes of the ports.
inline void infer_joints(const Instance& self, const Inference& inference, const char* path) {
  if (const std::optional<ArmTable> table = reported_table(self, path)) inference.dimension("n", table->joints());
}

/// For configure(): null after a report.
inline std::unique_ptr<ArmModel> model_from(const Instance& self, const char* path, double base_scale) {
  std::optional<ArmTable> table = reported_table(self, path);
  return table ? std::make_unique<ArmModel>(std::move(*table), base_scale) : nullptr;
}

/// nu, all in inertial axes, from a base twist (angular velocity in base axes) and joint velocities.
template <typename Joints>
ArmVector generalised_velocity(const Matrix3& base, const Twist& twist, const Joints& rates) {
  ArmVector nu(6 + rates.size());
  nu.head<3>() = twist.linear();
  nu.segment<3>(3) = base * Vector3(twist.angular());
  for (Eigen::Index i = 0; i < rates.size(); ++i) nu[6 + i] = rates[i];
  return nu;
}

} // namespace hilda

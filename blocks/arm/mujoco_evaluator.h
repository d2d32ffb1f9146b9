// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/arm/arm_model.h"

#include <memory>
#include <string>

namespace hilda {

/// M and c of an arm by MuJoCo, an independent implementation, in the axes of ArmModel. Every plugin can name it; one
/// that was built without MuJoCo refuses to create it.
class MujocoEvaluator {
public:
  /// Null, and why, where this build has no MuJoCo or MuJoCo refuses the arm.
  static std::unique_ptr<MujocoEvaluator> create(const ArmTable& table, std::string& error);
  ~MujocoEvaluator();

  void evaluate(const Vector3& base_position, const Quaternion& base, const Eigen::Ref<const Vector>& q,
                const ArmVector& nu, ArmMatrix& mass, ArmVector& bias);
  /// Jacobian of the end effector at the state evaluated last.
  ArmJacobian end_effector_jacobian() const;

private:
  struct World;
  explicit MujocoEvaluator(std::unique_ptr<World> world);
  std::unique_ptr<World> world_;
};

/// The arm in MuJoCo's own format, without contact or gravity.
std::string mjcf_text(const ArmTable& table);

} // namespace hilda

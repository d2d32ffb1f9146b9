// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/arm/mujoco_evaluator.h"

#ifdef HILDA_HAS_MUJOCO

#include <Eigen/Geometry>
#include <cstdio>
#include <cstring>
#include <mujoco/mujoco.h>

namespace hilda {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::string number(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g ", v);
  return text;
}
std::string three(const Vector3& v) { return number(v[0]) + number(v[1]) + number(v[2]); }
std::string turn(const Matrix3& axes) {
  const Quaternion q(axes);
  return number(q.w()) + number(q.x()) + number(q.y()) + number(q.z());
}
std::string inertial(const Vector3& com, double mass, const Matrix3& I) {
  return "<inertial pos='" + three(com) + "' mass='" + number(mass) + "' fullinertia='" + number(I(0, 0)) +
         number(I(1, 1)) + number(I(2, 2)) + number(I(0, 1)) + number(I(0, 2)) + number(I(1, 2)) + "'/>";
}
Matrix3 about(const Vector3& axis, double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d(axis)).toRotationMatrix();
}

} // namespace

std::string mjcf_text(const ArmTable& table) {
  std::string text = "<mujoco><compiler angle='radian' inertiafromgeom='false' boundmass='0' boundinertia='0'/>"
                     "<option gravity='0 0 0'/><worldbody><body name='base'><freejoint/>" +
                     inertial(Vector3::Zero(), table.base_mass, table.base_inertia);
  Vector3 place = table.mount;
  Matrix3 axes = Matrix3::Identity();
  std::string ends;
  for (const ArmLink& link : table.links) {
    const Matrix3 own = about(Vector3::UnitZ(), link.q0) * about(Vector3::UnitX(), link.alpha);
    text += "<body pos='" + three(place) + "' quat='" + turn(axes) + "'>";
    if (link.moves) text += "<joint type='hinge' axis='0 0 1'/>";
    text += inertial(own * link.com, link.mass, own * link.inertia * own.transpose());
    place = Vector3(0, 0, link.lambda) + about(Vector3::UnitZ(), link.q0) * Vector3(link.length, 0, 0);
    axes = own;
    ends += "</body>";
  }
  return text + "<site name='end_effector' pos='" + three(place) + "' quat='" + turn(axes) + "'/>" + ends +
         "</body></worldbody></mujoco>";
}

struct MujocoEvaluator::World {
  mjModel* model = nullptr;
  mjData* data = nullptr;
  Matrix3 base = Matrix3::Identity();
  RowMajor mass, jacobian;
  ~World() {
    if (data != nullptr) mj_deleteData(data);
    if (model != nullptr) mj_deleteModel(model);
  }
};

MujocoEvaluator::MujocoEvaluator(std::unique_ptr<World> world) : world_(std::move(world)) {}
MujocoEvaluator::~MujocoEvaluator() = default;

std::unique_ptr<MujocoEvaluator> MujocoEvaluator::create(const ArmTable& table, std::string& error) {
  const std::string text = mjcf_text(table);
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), "arm.xml", static_cast<int>(text.size())) != 0) {
    error = "MuJoCo has no room for the arm";
    return nullptr;
  }
  std::memcpy(files->filedata[0], text.data(), text.size());
  char complaint[500] = "";
  auto world = std::make_unique<World>();
  world->model = mj_loadXML("arm.xml", files.get(), complaint, sizeof complaint);
  mj_deleteVFS(files.get());
  if (world->model == nullptr) {
    error = std::string("MuJoCo refuses the arm: ") + complaint;
    return nullptr;
  }
  world->data = mj_makeData(world->model);
  world->mass.resize(world->model->nv, world->model->nv);
  world->jacobian.resize(6, world->model->nv);
  return std::unique_ptr<MujocoEvaluator>(new MujocoEvaluator(std::move(world)));
}

void MujocoEvaluator::evaluate(const Vector3& base_position, const Quaternion& base, const Eigen::Ref<const Vector>& q,
                               const ArmVector& nu, ArmMatrix& mass, ArmVector& bias) {
  const mjModel* m = world_->model;
  mjData* d = world_->data;
  const Eigen::Index nv = m->nv;
  world_->base = base.toRotationMatrix();
  for (int i = 0; i < 3; ++i) d->qpos[i] = base_position[i];
  d->qpos[3] = base.w(), d->qpos[4] = base.x(), d->qpos[5] = base.y(), d->qpos[6] = base.z();
  for (Eigen::Index i = 0; i < q.size(); ++i) d->qpos[7 + i] = q[i];
  // MuJoCo's free joint has its angular velocity in body axes; so have the rows and columns that belong to it.
  Eigen::Map<Eigen::VectorXd> velocity(d->qvel, nv);
  velocity = nu;
  velocity.segment<3>(3) = world_->base.transpose() * nu.segment<3>(3);
  mj_forward(m, d);
  mj_fullM(m, world_->mass.data(), d->qM);
  mass = world_->mass;
  bias = Eigen::Map<const Eigen::VectorXd>(d->qfrc_bias, nv);
  for (Eigen::Index i = 0; i < nv; ++i) { mass.block<3, 1>(3, i) = Vector3(world_->base * mass.block<3, 1>(3, i)); }
  for (Eigen::Index i = 0; i < nv; ++i) {
    mass.block<1, 3>(i, 3) = Vector3(world_->base * mass.block<1, 3>(i, 3).transpose()).transpose();
  }
  bias.segment<3>(3) = Vector3(world_->base * bias.segment<3>(3));
}

ArmJacobian MujocoEvaluator::end_effector_jacobian() const {
  RowMajor& J = world_->jacobian;
  mj_jacSite(world_->model, world_->data, J.data(), J.data() + 3 * world_->model->nv, 0);
  ArmJacobian turned = J;
  for (Eigen::Index i = 0; i < 6; ++i)
    turned.block<1, 3>(i, 3) = Vector3(world_->base * Vector3(J.block<1, 3>(i, 3).transpose())).transpose();
  return turned;
}

} // namespace hilda

#else

namespace hilda {

struct MujocoEvaluator::World {};
MujocoEvaluator::MujocoEvaluator(std::unique_ptr<World> world) : world_(std::move(world)) {}
MujocoEvaluator::~MujocoEvaluator() = default;
std::unique_ptr<MujocoEvaluator> MujocoEvaluator::create(const ArmTable&, std::string& error) {
  error = "this build has no MuJoCo: take `own`, or install libmujoco-dev and build again";
  return nullptr;
}
void MujocoEvaluator::evaluate(const Vector3&, const Quaternion&, const Eigen::Ref<const Vector>&, const ArmVector&,
                               ArmMatrix&, ArmVector&) {}
ArmJacobian MujocoEvaluator::end_effector_jacobian() const { return {}; }

} // namespace hilda

#endif

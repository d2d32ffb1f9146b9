// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/hand/kernels.h"
#include "benchmarks/hand/pida_maths.h"

namespace hand::HAND {
namespace {

// Each block as a hand-written block would be: pointers to what it reads, its own values, one function that is not
// inlined. What the engine calls output and update is one call where that is possible by hand.

struct BodyBlock {
  const Wrench* wrench;
  Body body;
  BodyOutputs out;
};
/// Carries the body to the next tick and gives its outputs for it.
[[gnu::noinline]] void run(BodyBlock* b) {
  move(b->body, *b->wrench);
  b->out = outputs(b->body);
}

struct BalanceBlock {
  const BodyOutputs *service, *target;
  Balance balance;
};
[[gnu::noinline]] void run(BalanceBlock* b) { b->balance.look(*b->service, *b->target); }

struct EnergyBlock {
  const BodyOutputs *service, *target;
  double service_mass, target_mass;
  Energies energies;
};
[[gnu::noinline]] void run(EnergyBlock* b) {
  b->energies = relative_energy(b->service_mass, b->target_mass, *b->service, *b->target);
}

struct MotionBlock {
  const BodyOutputs *service, *target;
  Motion motion;
  Frames frames;
};
[[gnu::noinline]] void run(MotionBlock* b) {
  b->motion = relative_motion(b->frames, b->service->pose, b->service->twist, b->target->pose, b->target->twist);
}

struct RobotBlock {
  const Motion* command;
  Motion actual;
  Line line;
};
[[gnu::noinline]] void run(RobotBlock* b) {
  b->actual = b->line.oldest();
  b->line.push(b->command->pose, b->command->twist);
}

struct EncodersBlock {
  const Motion* actual;
  Motion reported;
};
[[gnu::noinline]] void run(EncodersBlock* b) { b->reported = *b->actual; }

struct PointBlock {
  const Motion* motion;
  PointState at;
  Vector3 point = Vector3::Zero();
};
[[gnu::noinline]] void run(PointBlock* b) { b->at = point_on(b->motion->pose, b->motion->twist, b->point); }

struct WallBlock {
  const PointState* tip;
  Pressed pressed;
  Walls walls;
};
[[gnu::noinline]] void run(WallBlock* b) { b->pressed = press(b->walls, *b->tip); }

struct SensorBlock {
  const Wrench* wrench;
  Wrench measured;
};
[[gnu::noinline]] void run(SensorBlock* b) { b->measured = *b->wrench; }

struct OnToolBlock {
  const Wrench* given;
  const Pose* pose;
  Wrench wrench;
};
[[gnu::noinline]] void run(OnToolBlock* b) { b->wrench = on_tool(*b->given, *b->pose); }

struct OnWallBlock {
  const Wrench* given;
  const Pose* pose;
  Wrench wrench;
};
[[gnu::noinline]] void run(OnWallBlock* b) { b->wrench = on_wall(*b->given, *b->pose); }

struct GateBlock {
  const Wrench* measured;
  Gate gate;
  bool touching = false;
};
[[gnu::noinline]] void run(GateBlock* b) { b->touching = b->gate.touched(*b->measured); }

struct LeadBlock {
  const Wrench* measured;
  const bool* touching;
  Wrench led;
  Lead lead;
};
[[gnu::noinline]] void run(LeadBlock* b) { b->led = b->lead.led(*b->measured, *b->touching); }

struct FilterBlock {
  const Wrench* wrench;
  const PointState* at;
  const std::int64_t* ticks;
  Filter filter;
};
[[gnu::noinline]] void run(FilterBlock* b) { b->filter.identify(b->wrench->force, *b->at, *b->ticks); }

struct CompensatorBlock {
  const Wrench* wrench;
  const bool* touching;
  const Vector2* wall;
  const PointState *commanded, *actual;
  Wrench compensated;
  Vector3 origin = Vector3::Zero();
};
[[gnu::noinline]] void run(CompensatorBlock* b) {
  b->compensated = compensated(*b->wrench, *b->touching, *b->wall, *b->commanded, *b->actual, b->origin);
}

struct ClampBlock {
  const Wrench *wrench, *measured;
  Wrench clamped;
};
[[gnu::noinline]] void run(ClampBlock* b) { b->clamped = clamped(*b->wrench, *b->measured); }

struct PassivityBlock {
  const Wrench* wrench;
  const PointState* tip;
  const Filter* filter;
  const bool* touching;
  Wrench controlled;
  Passivity passivity;
};
[[gnu::noinline]] void run(PassivityBlock* b) {
  b->controlled = b->passivity.controlled(*b->wrench, *b->tip, b->filter->e, b->filter->X[1], *b->touching);
}

struct ReactionBlock {
  const Wrench* wrench;
  const BodyOutputs *service, *target;
  OnBodies on;
  Frames frames;
};
[[gnu::noinline]] void run(ReactionBlock* b) {
  b->on = on_bodies(b->frames, *b->wrench, b->service->pose, b->target->pose);
}

struct MetricsBlock {
  const PointState* tip;
  const Wrench *applied, *wall;
  const bool* touching;
  const Filter* filter;
  const Energies* energies;
  Metrics metrics;
};
[[gnu::noinline]] void run(MetricsBlock* b) {
  b->metrics.follow(b->tip->velocity, b->applied->force, b->wall->force, *b->touching, b->filter->X,
                    b->energies->service + b->energies->target);
}

/// All values side by side in the order in which they are made.
struct Loop {
  BodyBlock service{&reaction.on.service, Body(300, 98, 0.02), {}},
      target{&reaction.on.target, Body(4000, 3684, 0), {}};
  BalanceBlock balance{&service.out, &target.out, {}};
  RobotBlock robot{&motion.motion, {}, {}};
  EncodersBlock encoders{&robot.actual, {}};
  PointBlock rod{&robot.actual, {}}, actual{&encoders.reported, {}};
  WallBlock wall{&rod.at, {}, {}};
  SensorBlock sensor{&wall.pressed.on_wall, {}};
  MotionBlock motion{&service.out, &target.out, {}, {}};
  PointBlock commanded{&motion.motion, {}};
  OnToolBlock rig_on_tool{&sensor.measured, &encoders.reported.pose, {}};
  OnWallBlock on_wall{&rig_on_tool.wrench, &encoders.reported.pose, {}};
  GateBlock gate{&on_wall.wrench, {}};
  LeadBlock lead{&on_wall.wrench, &gate.touching, {}, {}};
  FilterBlock filter{&lead.led, &actual.at, &gate.gate.ticks, {}};
  CompensatorBlock compensator{&lead.led, &gate.touching, &filter.filter.X, &commanded.at, &actual.at, {}};
  ClampBlock clamp{&compensator.compensated, &on_wall.wrench, {}};
  PassivityBlock passivity{&clamp.clamped, &commanded.at, &filter.filter, &gate.touching, {}, {}};
  OnToolBlock on_tool{&passivity.controlled, &motion.motion.pose, {}};
  ReactionBlock reaction{&on_tool.wrench, &service.out, &target.out, {}, {}};
  EnergyBlock energy{&service.out, &target.out, 300, 4000, {}};
  MetricsBlock metrics{&commanded.at,
                       &passivity.controlled,
                       &wall.pressed.on_wall,
                       &gate.touching,
                       &filter.filter,
                       &energy.energies,
                       {}};

  Loop() {
    service.out = outputs(service.body), target.out = outputs(target.body);
    run(&motion);
    robot.line.prime(motion.motion);
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
};

class Pida : public Kernel {
public:
  void blocks(std::size_t ticks) override {
    for (std::size_t t = 0; t < ticks; ++t) {
      run(&l.balance), run(&l.energy), run(&l.motion), run(&l.robot), run(&l.encoders), run(&l.rod), run(&l.actual),
          run(&l.wall);
      run(&l.sensor), run(&l.commanded), run(&l.rig_on_tool), run(&l.on_wall), run(&l.gate), run(&l.lead);
      run(&l.filter), run(&l.compensator), run(&l.clamp), run(&l.passivity), run(&l.on_tool), run(&l.reaction);
      run(&l.metrics), run(&l.service), run(&l.target);
    }
  }

  void fused(std::size_t ticks) override {
    for (std::size_t t = 0; t < ticks; ++t) {
      fused_tick();
      asm volatile("" ::: "memory");
    }
  }

  std::vector<double> result() const override {
    const Pose& pose = l.motion.motion.pose;
    const Quaternion& q = pose.orientation;
    const Wrench& w = l.passivity.controlled;
    const Metrics::Row& last = l.metrics.metrics.last;
    const Filter& f = l.filter.filter;
    return {pose.position[0],
            pose.position[1],
            pose.position[2],
            q.w(),
            q.x(),
            q.y(),
            q.z(),
            f.X[0],
            f.X[1],
            f.R,
            w.force[0],
            w.force[1],
            w.force[2],
            w.torque[0],
            w.torque[1],
            w.torque[2],
            last.cor,
            last.energy,
            l.balance.balance.linear};
  }

private:
  void fused_tick() {
    const BodyOutputs service = outputs(l.service.body), target = outputs(l.target.body);
    l.balance.balance.look(service, target);
    const Motion command = relative_motion(l.motion.frames, service.pose, service.twist, target.pose, target.twist);
    l.motion.motion = command;
    const Motion actual = l.robot.line.oldest();
    l.robot.line.push(command.pose, command.twist);
    const Wrench wall = press(l.wall.walls, point_on(actual.pose, actual.twist, l.rod.point)).on_wall;
    const PointState at = point_on(actual.pose, actual.twist, l.actual.point);
    const PointState commanded = point_on(command.pose, command.twist, l.commanded.point);
    const Wrench measured = HAND::on_wall(HAND::on_tool(wall, actual.pose), actual.pose);
    const bool touching = l.gate.gate.touched(measured);
    const Wrench led = l.lead.lead.led(measured, touching);
    Filter& filter = l.filter.filter;
    filter.identify(led.force, at, l.gate.gate.ticks);
    const Wrench whole = clamped(compensated(led, touching, filter.X, commanded, at, l.compensator.origin), measured);
    const Wrench controlled = l.passivity.passivity.controlled(whole, commanded, filter.e, filter.X[1], touching);
    l.passivity.controlled = controlled;
    const OnBodies on =
        on_bodies(l.reaction.frames, HAND::on_tool(controlled, command.pose), service.pose, target.pose);
    const Energies energies = relative_energy(300, 4000, service, target);
    l.metrics.metrics.follow(commanded.velocity, controlled.force, wall.force, touching, filter.X,
                             energies.service + energies.target);
    move(l.service.body, on.service);
    move(l.target.body, on.target);
  }

  Loop l;
};

} // namespace

std::unique_ptr<Kernel> pida() { return std::make_unique<Pida>(); }

} // namespace hand::HAND

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/loop_trap.h"

#include <dlfcn.h>

namespace hilda::run {
namespace {

using Arm = void (*)(LoopTrap::Running, void*);
using Disarm = void (*)();

struct Watcher {
  Arm arm = reinterpret_cast<Arm>(dlsym(RTLD_DEFAULT, "hilda_trap_arm"));
  Disarm disarm = reinterpret_cast<Disarm>(dlsym(RTLD_DEFAULT, "hilda_trap_disarm"));
  bool loaded() const { return arm != nullptr && disarm != nullptr; }
};

const Watcher& watcher() {
  static const Watcher found;
  return found;
}

} // namespace

LoopTrap::LoopTrap(Running running, void* context) {
  if (watcher().loaded()) watcher().arm(running, context);
}

LoopTrap::~LoopTrap() {
  if (watcher().loaded()) watcher().disarm();
}

bool LoopTrap::watched() { return watcher().loaded(); }

} // namespace hilda::run

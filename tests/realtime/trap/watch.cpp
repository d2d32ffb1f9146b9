// SPDX-License-Identifier: BSD-3-Clause
#include "watch.h"

#include <linux/prctl.h>

namespace hilda::trap {

thread_local Watch watch;

Open::Open() {
  watch.busy = true;
  watch.selector = SYSCALL_DISPATCH_FILTER_ALLOW;
}

Open::~Open() {
  watch.busy = false;
  if (watch.armed) watch.selector = SYSCALL_DISPATCH_FILTER_BLOCK;
}

} // namespace hilda::trap

extern "C" {

/// Watches the calling thread from here on. `running` names the block at work; see engine/run/loop_trap.h.
void hilda_trap_arm(hilda::trap::Running running, void* context) {
  using namespace hilda::trap;
  count_loop();
  watch.running = running;
  watch.context = context;
  if (!watch_system_calls()) system_calls_unwatched();
  watch.armed = true;
  const Open closes_at_the_end;
}

/// Ends the watch of the calling thread.
void hilda_trap_disarm() {
  using namespace hilda::trap;
  const Open open;
  watch.armed = false;
  ignore_system_calls();
}
}

#include "tools/cli/interrupt.h"

#include <csignal>

namespace hilda::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void interrupt_run(int) { interrupted.store(true, std::memory_order_relaxed); }

void on_interrupt(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

} // namespace

Interrupt::Interrupt() {
  interrupted = false;
  on_interrupt(&interrupt_run, static_cast<int>(SA_RESETHAND));
}

Interrupt::~Interrupt() { on_interrupt(SIG_DFL, 0); }

const std::atomic<bool>& Interrupt::flag() const { return interrupted; }

} // namespace hilda::cli

#include "tools/cli/interrupt.h"

#include <csignal>
#include <unistd.h>

namespace hilda::cli {
namespace {

std::atomic<bool> interrupted{false}, hurried{false};
std::atomic<int> patience_left{1};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void interrupt_run(int signal) {
  if (patience_left.fetch_sub(1, std::memory_order_relaxed) <= 0) {
    std::signal(signal, SIG_DFL);
    kill(getpid(), signal);
    return;
  }
  if (interrupted.exchange(true, std::memory_order_relaxed)) hurried.store(true, std::memory_order_relaxed);
}

void on_interrupt(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

} // namespace

Interrupt::Interrupt(int patience) {
  interrupted = hurried = false;
  set_patience(patience);
  on_interrupt(&interrupt_run);
}

Interrupt::~Interrupt() { on_interrupt(SIG_DFL); }

void Interrupt::set_patience(int patience) { patience_left = patience; }

const std::atomic<bool>& Interrupt::flag() const { return interrupted; }
const std::atomic<bool>& Interrupt::hurry() const { return hurried; }

} // namespace hilda::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/program/interrupt.h"

#include "engine/plugin/running_code.h"
#include "tools/cli/detail/program/crash.h"

#include <unistd.h>

namespace hilda::cli {
namespace {

std::atomic<bool> interrupted{false}, hurried{false};
std::atomic<int> patience_left{1}, asked{0}, first_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

bool from_operator(int signal) { return signal == SIGINT || signal == SIGQUIT || signal == SIGTERM; }

extern "C" void interrupt_run(int signal) {
  int none = 0;
  first_signal.compare_exchange_strong(none, signal, std::memory_order_relaxed);
  if (from_operator(signal) && patience_left.fetch_sub(1, std::memory_order_relaxed) <= 0) {
    if (const RunningCode code = RunningThread::anywhere()) {
      say({"\nerror: ended while a block had not come back: "});
      say_who(code);
      say({"\n"});
    }
    std::signal(signal, SIG_DFL);
    kill(getpid(), signal);
    return;
  }
  interrupted.store(true, std::memory_order_relaxed);
  // A lost terminal and the SIGTERM that follows it are one cause: only a second word of the operator cuts the ramp.
  if (from_operator(signal) && asked.fetch_add(1, std::memory_order_relaxed) > 0)
    hurried.store(true, std::memory_order_relaxed);
}

bool ignored(int signal) {
  struct sigaction now = {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

} // namespace

void unblock_signals() {
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

Interrupt::Interrupt(const Options& options) {
  interrupted = hurried = false;
  first_signal = asked = 0;
  set_patience(options.patience);
  const bool stays = options.detach || ignored(SIGHUP); // nohup
  take(SIGHUP, stays ? SIG_IGN : &interrupt_run);
  for (const int signal :
       {SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGIO, SIGPWR, SIGXCPU, SIGSTKFLT})
    take(signal, &interrupt_run);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) take(signal, &interrupt_run);
  // Writing to a pipe without a reader, or beyond a limit, is an error of that file.
  for (const int signal : {SIGPIPE, SIGXFSZ}) take(signal, SIG_IGN);
  on_signal_from_outside(&interrupt_run);
}

Interrupt::~Interrupt() {
  on_signal_from_outside(nullptr);
  for (auto each = before_.rbegin(); each != before_.rend(); ++each) sigaction(each->signal, &each->action, nullptr);
}

void Interrupt::operate() {
  take(SIGTSTP, &interrupt_run);
  for (const int signal : {SIGTTIN, SIGTTOU}) take(signal, SIG_IGN);
}

void Interrupt::take(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  Kept kept{signal, {}};
  if (sigaction(signal, &action, &kept.action) == 0) before_.push_back(kept);
}

void Interrupt::set_patience(int patience) { patience_left = patience; }

void Interrupt::request() { interrupted = true; }

void Interrupt::clear() {
  interrupted = hurried = false;
  first_signal = asked = 0;
}

const std::atomic<bool>& Interrupt::flag() const { return interrupted; }
const std::atomic<bool>& Interrupt::hurry() const { return hurried; }
int Interrupt::first() { return first_signal; }

} // namespace hilda::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "python/simulation/workers.h"

#include <csignal>
#include <pthread.h>
#include <unistd.h>

namespace hilda::python {

namespace {

/// Signals are for the threads of Python.
class WithoutSignals {
public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

private:
  sigset_t before_{};
};

} // namespace

Workers::Workers(std::size_t count) : owner_(getpid()) {
  const WithoutSignals inherited;
  for (std::size_t i = 1; i < count; ++i) threads_.emplace_back([this] { serve(); });
}

Workers::~Workers() {
  over_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& each : threads_)
    if (owner_ == getpid())
      each.join();
    else
      each.detach(); // a fork does not have it
}

void Workers::run(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (threads_.empty() || count < 2 || owner_ != getpid()) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  work_ = &work;
  count_ = count;
  next_ = 0;
  working_ = static_cast<std::uint32_t>(threads_.size());
  ++round_;
  round_.notify_all();
  this->work();
  while (const std::uint32_t working = working_) working_.wait(working);
}

void Workers::serve() {
  for (std::uint32_t seen = 0;;) {
    round_.wait(seen);
    seen = round_;
    if (over_) return;
    work();
    if (--working_ == 0) working_.notify_one();
  }
}

/// A few at a time, since one may take less than to ask for it.
void Workers::work() {
  constexpr std::size_t together = 8;
  for (std::size_t first = next_.fetch_add(together); first < count_; first = next_.fetch_add(together))
    for (std::size_t i = first; i < count_ && i < first + together; ++i) (*work_)(i);
}

} // namespace hilda::python

// SPDX-License-Identifier: BSD-3-Clause
#include "tests/hardware/own_time.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace hilda::test {
namespace {

void make(pthread_mutex_t& mutex) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &kind);
  pthread_mutexattr_destroy(&kind);
}

std::int64_t machine_time() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * std::int64_t{1'000'000'000} + t.tv_nsec;
}

/// A minute at most.
template <typename Condition> bool come_to(const Condition& condition) {
  constexpr int looks = 30000;
  for (int i = 0; i < looks; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

} // namespace

OwnTime::OwnTime(const std::string& file, int speed) : file_(file) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0 || ::ftruncate(fd, sizeof(SharedTime)) != 0) throw std::runtime_error("cannot make " + file);
  void* const at = ::mmap(nullptr, sizeof(SharedTime), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ::close(fd);
  if (at == MAP_FAILED) throw std::runtime_error("cannot map " + file);
  shared_ = static_cast<SharedTime*>(at);
  make(shared_->mutex);
  for (SharedTime::Member& member : shared_->members) make(member.alive);
  for (SharedTime::Wait& wait : shared_->waits) wait.member = -1;
  shared_->now = machine_time();
  shared_->moved = shared_->now.load();
  shared_->speed = speed;
}

OwnTime::~OwnTime() { ::munmap(shared_, sizeof(SharedTime)); }

double OwnTime::now() const { return static_cast<double>(shared_->now.load()) * 1e-9; }

bool OwnTime::pass(double seconds) const {
  const double end = now() + seconds;
  return come_to([&] { return now() >= end; });
}

bool OwnTime::leave_out_who_works(double seconds) {
  std::int64_t stood_at = 0, since = machine_time();
  const bool stood = come_to([&] {
    if (const std::int64_t at = shared_->now.load(); at != stood_at) stood_at = at, since = machine_time();
    return static_cast<double>(machine_time() - since) * 1e-9 > seconds;
  });
  const SharedTimeLock lock(*shared_);
  for (std::size_t i = 0; stood && i < shared_->members.size(); ++i) {
    SharedTime::Member& member = shared_->members[i];
    const auto waits = [i](const SharedTime::Wait& wait) { return wait.member == static_cast<int>(i); };
    if (member.paced && std::none_of(shared_->waits.begin(), shared_->waits.end(), waits))
      member.paced = false, member.left_out = true;
  }
  return stood;
}

int OwnTime::most_paced() const {
  const SharedTimeLock lock(*shared_);
  return shared_->most_paced;
}

} // namespace hilda::test

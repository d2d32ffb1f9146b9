// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <pthread.h>

namespace hilda::test {

/// The time of some processes, in a file that they all map. It moves where all of them wait, and stops while one
/// works.
///
/// A process takes part from its first wait on: a sleep until a time, or a wait for a datagram with a deadline. All of
/// it but `turn` is for those who hold `mutex`.
struct SharedTime {
  /// A process; free where `pid` is 0.
  struct Member {
    pthread_mutex_t alive; ///< held by the process as long as it lives: robust, so that a crash is noticed
    int pid;
    bool paced;    ///< it has waited once
    bool left_out; ///< it works without end, and no one waits for it
  };
  /// A thread that waits; free where `member` is negative.
  struct Wait {
    int member;
    int line;              ///< index of the socket's line; negative: it sleeps
    std::int64_t deadline; ///< ns
    bool called;           ///< its time has come, and it has not woken yet
  };
  /// Datagrams to one address; free where `port` is 0.
  struct Line {
    std::uint32_t address;
    std::uint16_t port;
    std::int64_t sent, received;
  };

  pthread_mutex_t mutex;
  std::atomic<std::uint32_t> turn; ///< changes with everything that may end a wait: a futex
  int most_paced;                  ///< processes that took part at once
  std::int64_t speed;              ///< by how much this time is faster than the machine's, at most
  std::atomic<std::int64_t> now;   ///< ns, of this time; anyone may read it
  std::atomic<std::int64_t> moved; ///< ns, CLOCK_MONOTONIC: when `now` was set; the same
  std::atomic<bool> kept;          ///< someone takes part: until then time is the machine's; the same
  std::array<Member, 16> members;
  std::array<Wait, 32> waits;
  std::array<Line, 64> lines;
};

/// Name of the environment's variable with the path of the file.
inline constexpr const char* shared_time_variable = "HILDA_TEST_TIME";

/// Takes the mutex; where its owner died holding it, what it guards is as good as before.
inline void take(pthread_mutex_t& mutex) {
  if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
}

class SharedTimeLock {
public:
  explicit SharedTimeLock(SharedTime& time) : time_(time) { take(time_.mutex); }
  ~SharedTimeLock() { pthread_mutex_unlock(&time_.mutex); }
  SharedTimeLock(const SharedTimeLock&) = delete;
  SharedTimeLock& operator=(const SharedTimeLock&) = delete;

private:
  SharedTime& time_;
};

} // namespace hilda::test

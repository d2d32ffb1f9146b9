// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace hilda::test {

/// A block of this plugin that is slow says so to a device in step with the loop: meanwhile the device does not wait.
inline std::atomic<bool> drive_waits{true};
inline std::atomic<std::int64_t> drive_words{0}; ///< that were sent, by all drives

/// What goes over the wire, in both directions.
struct DriveWord {
  std::int64_t cycle = 0;
  double position = 0; ///< m: where it is; back: where it must go
};

/// The device's end: a thread that sends its position in each cycle and goes where the reply says.
class DriveEnd {
public:
  struct Plan {
    std::int64_t period = 0;               ///< ns
    double start = 0;                      ///< m
    std::int64_t quiet_at = -1, quiet = 0; ///< cycles in which it sends nothing
    bool in_step = false;                  ///< each cycle waits for the reply to the one before
  };
  struct Account {
    std::int64_t sent = 0, replies = 0, stray = 0; ///< stray: replies to another cycle than the newest
    double furthest = 0;                           ///< m from the start
    double largest_step = 0;                       ///< m between two replies
    double last_step = 0;                          ///< m between the last two replies
  };

  ~DriveEnd() { stop(); }
  /// The other end of the wire, or -1.
  int start(const Plan& plan);
  void stop();
  const Account& account() const { return account_; } ///< after stop

private:
  void work();
  void take_replies();
  void await_reply();
  Plan plan_;
  Account account_;
  DriveWord now_;
  std::int64_t replied_ = 0; ///< the newest cycle that a reply was for
  int wire_[2] = {-1, -1};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

} // namespace hilda::test

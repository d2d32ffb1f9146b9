// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace hilda::studio {

/// One message to a client.
struct Message {
  bool binary = false;
  std::string bytes;
};

/// What waits to be sent to one client. Any thread; no one waits in it for long.
///
/// Samples may be lost: where too much lies here they are counted and left out, and the client hears how many.
/// Answers are not lost; a client that lets too many of them lie is `overfull` and is to be closed.
class Outbox {
public:
  static constexpr std::size_t most_samples = std::size_t{4} << 20, most_answers = std::size_t{16} << 20; // bytes

  /// `wake` is called when there is something to take and was nothing; by the one who put it there. `told` makes the
  /// message that says how many samples were lost.
  Outbox(std::function<void()> wake, std::function<Message(std::uint64_t lost)> told);

  void samples(Message message);
  void answer(Message message);
  /// The next one to be sent.
  std::optional<Message> take();

  bool overfull() const;
  std::uint64_t lost() const;
  /// Nothing more is taken in, and no one is woken.
  void close();

private:
  void put(Message message, bool& wakes);

  mutable std::mutex lock_;
  std::function<void()> wake_;
  std::function<Message(std::uint64_t)> told_;
  std::deque<Message> waiting_;
  std::size_t bytes_ = 0;
  std::uint64_t lost_ = 0, said_ = 0;
  bool overfull_ = false, closed_ = false;
};

} // namespace hilda::studio

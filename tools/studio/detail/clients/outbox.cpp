// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/clients/outbox.h"

#include <utility>

namespace hilda::studio {
namespace {

/// What a message takes next to its bytes.
constexpr std::size_t each_takes = 64;

} // namespace

Outbox::Outbox(std::function<void()> wake, std::function<Message(std::uint64_t)> told)
    : wake_(std::move(wake)), told_(std::move(told)) {}

void Outbox::put(Message message, bool& wakes) {
  wakes = waiting_.empty();
  bytes_ += message.bytes.size() + each_takes;
  waiting_.push_back(std::move(message));
}

void Outbox::samples(Message message) {
  bool wakes = false;
  {
    const std::lock_guard guard(lock_);
    if (closed_) return;
    if (bytes_ + message.bytes.size() + each_takes > most_samples) {
      ++lost_;
      return;
    }
    put(std::move(message), wakes);
  }
  if (wakes) wake_();
}

void Outbox::answer(Message message) {
  bool wakes = false;
  {
    const std::lock_guard guard(lock_);
    if (closed_) return;
    overfull_ = overfull_ || bytes_ + message.bytes.size() > most_answers;
    if (overfull_) return;
    put(std::move(message), wakes);
  }
  if (wakes) wake_();
}

std::optional<Message> Outbox::take() {
  const std::lock_guard guard(lock_);
  if (lost_ != said_ && bytes_ < most_samples / 2) {
    said_ = lost_;
    return told_(lost_);
  }
  if (waiting_.empty()) return std::nullopt;
  Message message = std::move(waiting_.front());
  waiting_.pop_front();
  bytes_ -= message.bytes.size() + each_takes;
  return message;
}

bool Outbox::overfull() const {
  const std::lock_guard guard(lock_);
  return overfull_;
}

std::uint64_t Outbox::lost() const {
  const std::lock_guard guard(lock_);
  return lost_;
}

void Outbox::close() {
  const std::lock_guard guard(lock_);
  closed_ = true;
  waiting_.clear();
  bytes_ = 0;
}

} // namespace hilda::studio

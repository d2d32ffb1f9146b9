#include "tools/studio/clients/requests.h"

#include <utility>

namespace hilda::studio {

bool RequestQueue::put(ClientRequest request) {
  {
    const std::lock_guard guard(lock_);
    if (waiting_.size() >= most) return false;
    waiting_.push_back(std::move(request));
  }
  came_.notify_one();
  return true;
}

std::optional<ClientRequest> RequestQueue::take() {
  const std::lock_guard guard(lock_);
  if (waiting_.empty()) return std::nullopt;
  ClientRequest request = std::move(waiting_.front());
  waiting_.pop_front();
  return request;
}

void RequestQueue::wait(std::chrono::milliseconds longest) {
  std::unique_lock guard(lock_);
  came_.wait_for(guard, longest, [this] { return !waiting_.empty(); });
}

} // namespace hilda::studio

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/session.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace hilda::studio {

/// What a client needs of the run.
struct ClientRequest {
  std::weak_ptr<Session> from;
  Json body;

  void answer(Json reply) const {
    if (const std::shared_ptr<Session> session = from.lock()) session->answered(body, reply);
  }
};

/// A client's text as a JSON object; discarded where it is none. So is what is nested deeper than 32 levels or has more
/// than 20,000 members, which no request needs: writing the one takes stack, and reading the other time.
Json parse_request(const std::string& text);

/// The `id` of a text that parse_request discards, where one can be made out: a number or a text. Otherwise null.
Json id_in(const std::string& text);

/// From the network's thread to the one that attends the run.
class RequestQueue {
public:
  static constexpr std::size_t most = 256;

  /// False: too many wait.
  bool put(ClientRequest request);
  std::optional<ClientRequest> take();
  /// Until there is one, or the time is over.
  void wait(std::chrono::milliseconds longest);

private:
  std::mutex lock_;
  std::condition_variable came_;
  std::deque<ClientRequest> waiting_;
};

} // namespace hilda::studio

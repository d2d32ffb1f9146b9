// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/session.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace hilda::studio {

/// Appends a number's bytes as the protocol has them, the least first.
template <typename Number> void append_number(std::string& bytes, Number number) {
  std::array<char, sizeof number> raw{};
  std::memcpy(raw.data(), &number, sizeof number);
  bytes.append(raw.data(), raw.size());
}

/// What a client calls in Foxglove's protocol: a request of hilda.v1, with its fields as JSON.
struct ServiceCall {
  std::uint32_t service = 0, call = 0;
  Json body;         ///< with `op`; null: refused
  std::string error; ///< why, in words
};

/// Requests that a run takes (run, pause, step, back, restart) as services: "hilda/pause".
class FoxgloveServices {
public:
  /// Messages that tell of services that have come and gone.
  /// @param may  requests that are not refused as such
  std::vector<Json> offer(const Json& may);
  /// A binary message of a client; false: it is not a service call.
  bool read(std::span<const std::byte> bytes, ServiceCall& call) const;
  /// The answer to a call.
  static Message answer(const ServiceCall& call, const Json& reply);
  static Message failure(const ServiceCall& call, const std::string& error);

private:
  std::vector<std::uint32_t> offered_; ///< ids
};

} // namespace hilda::studio

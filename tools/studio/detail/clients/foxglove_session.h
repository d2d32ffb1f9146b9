// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/foxglove_services.h"
#include "tools/studio/detail/clients/session.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hilda::studio {

class Hub;

/// The Foxglove WebSocket protocol, version 1: signals as a log has them (CDR, ROS 2 schemas), parameters in SI, time,
/// and what one may do with the run as services. https://github.com/foxglove/ws-protocol, docs/spec.md
class FoxgloveSession final : public Session {
public:
  static bool is_protocol(const std::string& name) {
    return name == "foxglove.sdk.v1" || name == "foxglove.websocket.v1";
  }
  FoxgloveSession(Hub& hub, Outbox& outbox);

  void hear(const std::string& text) override;
  void hear(std::span<const std::byte> bytes) override;
  void answered(const Json& request, const Json& reply) override;
  void begin(const ServedSignals& signals) override;
  void take(const ServedSignals& signals, const TickSamples& samples) override;
  void event(std::int64_t tick, const EventParts& parts) override;
  void lost(std::int64_t tick, std::uint64_t ticks) override;
  void look() override;
  void told(const DiagramFacts& facts) override;
  void told_state(const Json& state) override;
  void told_parameters(const std::vector<ParameterFact>& changed) override;
  void told_message(const Json& message) override;

  /// "status" of level 1, warning.
  static Message lost_message(std::uint64_t lost);

private:
  enum class Level : std::uint8_t { info, warning, error };
  void status(Level level, const std::string& text);
  void say(const Json& json);
  void subscribe(const Json& message);
  void unsubscribe(const Json& message);
  void get_parameters(const Json& message);
  void set_parameters(const Json& message);
  void follow(const Json& message, bool wanted);
  bool follows(const std::string& path) const { return follows_all_ || followed_.contains(path); }
  std::uint64_t time_of(std::int64_t tick) const; ///< ns; the last one that 64 bits have where it is later
  void send(std::size_t channel, std::int64_t tick, std::span<const std::byte> body);

  static constexpr std::size_t most_subscriptions = 4096;

  Hub& hub_;
  MessageChannels channels_;                            ///< as advertised
  std::uint32_t first_ = 1;                             ///< id of the first channel
  std::map<std::uint32_t, std::size_t> subscriptions_;  ///< channel by id of the subscription
  std::vector<std::vector<std::uint32_t>> subscribers_; ///< ids by channel
  FoxgloveServices services_;
  std::set<std::string> followed_; ///< parameters
  bool follows_all_ = false;
  Rational period_;
  std::int64_t tick_ = -1, told_tick_ = -1;
};

} // namespace hilda::studio

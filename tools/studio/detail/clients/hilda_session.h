// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/scope.h"
#include "tools/studio/detail/clients/session.h"
#include "tools/studio/detail/clients/signal_reader.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hilda::studio {

class Hub;

/// hilda.v1, for hilda's own page: docs/studio.md has the table of its messages.
class HildaSession final : public Session {
public:
  static constexpr const char* protocol = "hilda.v1";
  HildaSession(Hub& hub, Outbox& outbox) : Session(outbox), hub_(hub) {}

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

  /// "lost", with how many frames.
  static Message lost_message(std::uint64_t lost);

private:
  void say(const Json& json) { outbox().answer({false, text_of(json)}); }
  void hear_hello(const Json& request);
  void refuse(const Json& request, const std::string& error, const std::string& help = "");
  void watch(const Json& request);
  void scope(const Json& request);
  void unscope(const Json& request);
  void convert(const Json& request);
  void say_values();
  void say_shown(const ScopeFeed& scope, const ScopeFeed::Shown& shown);

  static constexpr std::size_t most_scopes = 16, most_watched = 256;
  static constexpr int looks_a_value = 2; ///< values go out with each second look

  Hub& hub_;
  std::map<std::string, ScopeFeed> scopes_;
  std::map<std::string, FrameReader> watched_; ///< by the name that was asked for
  bool values_changed_ = false;
  int looks_ = 0;
  bool by_changes_ = false;   ///< it has asked for what has changed of `hello` alone
  std::int64_t revision_ = 0; ///< of the `hello` that it received last
  Json epoch_;                ///< as the state had it
  std::int64_t tick_ = 0;
  double time_ = 0;
};

} // namespace hilda::studio

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/event_message.h"
#include "engine/log/message_channels.h"
#include "engine/log/signal_names.h"
#include "tools/modules.h"
#include "tools/studio/detail/clients/outbox.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hilda::studio {

using Json = nlohmann::ordered_json;

/// The text `key` of an object; empty where there is none.
inline std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// What frames hold: the signals of the run that is under way.
struct ServedSignals {
  LogSchema schema;
  FrameLayout layout;
  MessageChannels messages;
  SignalNames names;
};

/// The samples of one tick, by group of the layout; null: not due, or lost.
struct TickSamples {
  std::int64_t tick = 0;
  double time = 0; ///< s
  std::span<const std::byte* const> groups;
};

/// A parameter as clients see it.
struct ParameterFact {
  std::string path, text;
  Json value;       ///< SI
  std::string unit; ///< of the value; empty: a pure number, or none
  std::string file; ///< the text that the file has, where another value was set since; else empty
  friend bool operator==(const ParameterFact&, const ParameterFact&) = default;
};

/// The facts about a loaded diagram that are sent to clients.
struct DiagramFacts {
  Json hello;                            ///< without `op`, and without text and value of its `parameters`
  std::vector<ParameterFact> parameters; ///< the same ones, as they are now
  /// What turns the facts that were sent before, under the revision `since`, into all of it as whole_hello has it;
  /// null: none were sent.
  Json changes;
  std::int64_t since = 0;
};

/// All that `hello` says, but for `op`.
Json whole_hello(const DiagramFacts& facts);

/// A watcher of the samples of the run, which now and then sends a message to all clients. Called by the hub with its
/// lock held.
class FrameWatcher {
public:
  virtual ~FrameWatcher() = default;
  virtual void begin(const ServedSignals& signals) = 0;
  virtual void take(const TickSamples& samples) = 0;
  /// 40 times a second: a message, or none.
  virtual std::optional<Json> news() = 0;
};

/// One client's side of a protocol, without a socket: it takes messages, and puts messages into its outbox.
///
/// `hear` comes from the network's thread, `answered` from that of the run. All else is called by the hub with its lock
/// held, samples from the log's thread. Nothing here waits for a client.
class Session {
public:
  explicit Session(Outbox& outbox) : outbox_(outbox) {}
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  virtual void hear(const std::string& text) = 0;
  virtual void hear(std::span<const std::byte> bytes) = 0;
  /// Of a request that was passed on: `reply` has `ok`, and where it is not true `error`.
  virtual void answered(const Json& request, const Json& reply) = 0;

  virtual void begin(const ServedSignals& signals) = 0;
  virtual void take(const ServedSignals& signals, const TickSamples& samples) = 0;
  /// What an operator or a program did, as the log has it.
  virtual void event(std::int64_t tick, const EventParts& parts) = 0;
  /// Ticks whose observed samples were lost up to this one, before they came here.
  virtual void lost(std::int64_t tick, std::uint64_t ticks) = 0;
  /// 40 times a second: sends what has gathered.
  virtual void look() = 0;
  virtual void told(const DiagramFacts& facts) = 0;
  virtual void told_state(const Json& state) = 0;
  virtual void told_parameters(const std::vector<ParameterFact>& changed) = 0;
  /// `summary`, `changes`, `diagnostics`: as they are to be sent.
  virtual void told_message(const Json& message) = 0;

protected:
  Outbox& outbox() { return outbox_; }
  /// JSON as text, whatever is in it.
  static std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

private:
  Outbox& outbox_;
};

} // namespace hilda::studio

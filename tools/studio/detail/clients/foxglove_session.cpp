// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/clients/foxglove_session.h"

#include "engine/quantity/value.h"
#include "tools/studio/hub.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace hilda::studio {
namespace {

constexpr std::uint8_t message_data = 1, time_message = 2;

Json parameter_json(const ParameterFact& fact) {
  Json json{{"name", fact.path}, {"value", fact.value}};
  if (fact.value.is_number()) json["type"] = "float64";
  const auto is_number = [](const Json& each) { return each.is_number(); };
  if (fact.value.is_array() && std::all_of(fact.value.begin(), fact.value.end(), is_number))
    json["type"] = "float64_array";
  return json;
}

/// "1 2 3" of a vector, "1 2; 3 4" of a matrix; empty where it is neither.
std::string numbers_text(const Json& value) {
  std::string text;
  for (const Json& each : value) {
    const bool row = each.is_array();
    const std::string one = row ? numbers_text(each) : each.is_number() ? decimal(each.get<double>()) : "";
    if (one.empty()) return {};
    text += (text.empty() ? "" : row ? "; " : " ") + one;
  }
  return text;
}

/// A value in SI as a person would write it; empty where it can be none.
std::string setting_text(const Json& value, const std::string& unit) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  const std::string numbers = value.is_number() ? decimal(value.get<double>()) : numbers_text(value);
  return numbers.empty() || unit.empty() ? numbers : numbers + " " + unit;
}

bool same_channels(const MessageChannels& a, const MessageChannels& b) {
  const auto same_type = [](const Ros2Type& x, const Ros2Type& y) { return x.name == y.name && x.text == y.text; };
  const auto same = [](const MessageChannel& x, const MessageChannel& y) {
    return x.topic == y.topic && x.type == y.type;
  };
  return std::equal(a.types.begin(), a.types.end(), b.types.begin(), b.types.end(), same_type) &&
         std::equal(a.channels.begin(), a.channels.end(), b.channels.begin(), b.channels.end(), same);
}

/// A number of 32 bits; none where it is something else.
std::optional<std::uint32_t> id_in(const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > UINT32_MAX) return std::nullopt;
  return json.get<std::uint32_t>();
}

/// The elements of a list under a key; none where there is no such list.
const Json& list_in(const Json& message, const char* key) {
  static const Json none = Json::array();
  const auto found = message.find(key);
  return found != message.end() && found->is_array() ? *found : none;
}

} // namespace

FoxgloveSession::FoxgloveSession(Hub& hub, Outbox& outbox) : Session(outbox), hub_(hub) {
  say({{"op", "serverInfo"},
       {"name", "hilda"},
       {"capabilities", {"parameters", "parametersSubscribe", "time", "services"}},
       {"supportedEncodings", {"json"}},
       {"metadata", Json::object()}});
}

void FoxgloveSession::say(const Json& json) { outbox().answer({false, text_of(json)}); }

void FoxgloveSession::status(Level level, const std::string& text) {
  say({{"op", "status"}, {"level", static_cast<int>(level)}, {"message", text}});
}

Message FoxgloveSession::lost_message(std::uint64_t lost) {
  return {false, text_of({{"op", "status"},
                          {"level", static_cast<int>(Level::warning)},
                          {"message", fmt::format("{} messages were lost so far: this client reads too slowly", lost)},
                          {"id", "lost"}})};
}

void FoxgloveSession::begin(const ServedSignals& signals) {
  period_ = signals.schema.period;
  tick_ = told_tick_ = -1;
  if (same_channels(channels_, signals.messages)) return;
  Json gone = Json::array();
  for (std::size_t i = 0; i < channels_.channels.size(); ++i) gone.push_back(first_ + i);
  if (!gone.empty()) say({{"op", "unadvertise"}, {"channelIds", std::move(gone)}});
  first_ += static_cast<std::uint32_t>(channels_.channels.size());
  subscriptions_.clear();
  channels_ = signals.messages;
  subscribers_.assign(channels_.channels.size(), {});
  Json all = Json::array();
  for (std::size_t i = 0; i < channels_.channels.size(); ++i) {
    const Ros2Type& type = channels_.types[channels_.channels[i].type];
    all.push_back({{"id", first_ + i},
                   {"topic", channels_.channels[i].topic},
                   {"encoding", "cdr"},
                   {"schemaName", type.name},
                   {"schema", type.text},
                   {"schemaEncoding", "ros2msg"}});
  }
  say({{"op", "advertise"}, {"channels", std::move(all)}});
}

std::uint64_t FoxgloveSession::time_of(std::int64_t tick) const {
  return log_time_at(period_, tick).value_or(std::numeric_limits<std::uint64_t>::max());
}

void FoxgloveSession::send(std::size_t channel, std::int64_t tick, std::span<const std::byte> body) {
  if (channel >= subscribers_.size()) return;
  const std::uint64_t time = time_of(tick);
  for (const std::uint32_t id : subscribers_[channel]) {
    std::string bytes;
    bytes.reserve(1 + sizeof id + sizeof time + message_prefix + body.size());
    bytes.push_back(static_cast<char>(message_data));
    append_number(bytes, id);
    append_number(bytes, time);
    const std::size_t head = bytes.size();
    bytes.resize(head + message_prefix);
    begin_message(reinterpret_cast<std::byte*>(bytes.data() + head), tick);
    bytes.append(reinterpret_cast<const char*>(body.data()), body.size());
    outbox().samples({true, std::move(bytes)});
  }
}

void FoxgloveSession::take(const ServedSignals& signals, const TickSamples& samples) {
  tick_ = samples.tick;
  for (std::size_t g = 0; g < samples.groups.size(); ++g)
    if (samples.groups[g] != nullptr)
      send(g, samples.tick, {samples.groups[g], signals.layout.groups[g].message_bytes});
}

void FoxgloveSession::event(std::int64_t tick, const EventParts& parts) {
  if (channels_.channels.size() < 2) return;
  std::vector<std::byte> body(event_bytes(parts));
  put_event(parts, body.data());
  send(channels_.channels.size() - 2, tick, body); // the log's own are last
}

void FoxgloveSession::lost(std::int64_t tick, std::uint64_t ticks) {
  if (!channels_.channels.empty()) send(channels_.channels.size() - 1, tick, std::as_bytes(std::span(&ticks, 1)));
}

void FoxgloveSession::look() {
  if (tick_ == told_tick_) return;
  told_tick_ = tick_;
  std::string bytes(1, static_cast<char>(time_message));
  append_number(bytes, time_of(tick_));
  outbox().samples({true, std::move(bytes)});
}

void FoxgloveSession::told(const DiagramFacts& facts) { told_parameters(facts.parameters); }
void FoxgloveSession::told_state(const Json& state) {
  for (const Json& message : services_.offer(state.value("may", Json()))) say(message);
}
void FoxgloveSession::told_message(const Json& message) {
  if (text_at(message, "op") != "diagnostics") return;
  status(Level::error, text_at(message, "text"));
}

void FoxgloveSession::told_parameters(const std::vector<ParameterFact>& changed) {
  Json parameters = Json::array();
  for (const ParameterFact& each : changed)
    if (follows(each.path)) parameters.push_back(parameter_json(each));
  if (!parameters.empty()) say({{"op", "parameterValues"}, {"parameters", std::move(parameters)}});
}

void FoxgloveSession::hear(std::span<const std::byte> bytes) {
  ServiceCall call;
  bool is_call = false;
  hub_.with_signals([&](const ServedSignals&) { is_call = services_.read(bytes, call); });
  if (!is_call)
    return status(Level::error,
                  fmt::format("a binary message of {} bytes: this server takes calls of services alone", bytes.size()));
  if (call.error.empty() && !hub_.ask(*this, call.body)) call.error = "too many requests wait";
  if (!call.error.empty()) outbox().answer(FoxgloveServices::failure(call, call.error));
}

void FoxgloveSession::hear(const std::string& text) {
  const Json message = parse_request(text);
  const std::string op = message.is_object() ? text_at(message, "op") : "";
  if (op == "subscribe") return subscribe(message);
  if (op == "unsubscribe") return unsubscribe(message);
  if (op == "getParameters") return get_parameters(message);
  if (op == "setParameters") return set_parameters(message);
  if (op == "subscribeParameterUpdates") return follow(message, true);
  if (op == "unsubscribeParameterUpdates") return follow(message, false);
  status(Level::error, op.empty() ? "this is not a message of the protocol: a JSON object with 'op' is"
                                  : "this server does not offer '" + op + "'");
}

void FoxgloveSession::subscribe(const Json& message) {
  std::string refused;
  hub_.with_signals([&](const ServedSignals&) {
    for (const Json& each : list_in(message, "subscriptions")) {
      const auto id = each.is_object() && each.contains("id") ? id_in(each["id"]) : std::nullopt;
      const auto channel = each.is_object() && each.contains("channelId") ? id_in(each["channelId"]) : std::nullopt;
      const bool known = channel && *channel >= first_ && *channel - first_ < subscribers_.size();
      if (!id || !known || subscriptions_.contains(*id) || subscriptions_.size() >= most_subscriptions) {
        refused = text_of(each);
        continue;
      }
      subscriptions_.emplace(*id, *channel - first_);
      subscribers_[*channel - first_].push_back(*id);
    }
  });
  if (!refused.empty())
    status(Level::warning, "no such channel, or the subscription's id is taken or missing: " + refused.substr(0, 200));
}

void FoxgloveSession::unsubscribe(const Json& message) {
  hub_.with_signals([&](const ServedSignals&) {
    for (const Json& each : list_in(message, "subscriptionIds")) {
      const auto id = id_in(each);
      const auto found = id ? subscriptions_.find(*id) : subscriptions_.end();
      if (found == subscriptions_.end()) continue;
      std::erase(subscribers_[found->second], *id);
      subscriptions_.erase(found);
    }
  });
}

void FoxgloveSession::get_parameters(const Json& message) {
  std::set<std::string> wanted;
  for (const Json& each : list_in(message, "parameterNames"))
    if (each.is_string()) wanted.insert(each.get<std::string>());
  Json parameters = Json::array();
  for (const ParameterFact& each : hub_.parameters())
    if (wanted.empty() || wanted.contains(each.path)) parameters.push_back(parameter_json(each));
  Json reply{{"op", "parameterValues"}, {"parameters", std::move(parameters)}};
  if (message.contains("id")) reply["id"] = message["id"];
  say(reply);
}

void FoxgloveSession::set_parameters(const Json& message) {
  const std::vector<ParameterFact> known = hub_.parameters();
  Json settings = Json::array();
  std::string refused;
  for (const Json& each : list_in(message, "parameters")) {
    const std::string name = each.is_object() ? text_at(each, "name") : "";
    const auto fact =
        std::find_if(known.begin(), known.end(), [&name](const ParameterFact& one) { return one.path == name; });
    const std::string text = each.is_object() && each.contains("value")
                                 ? setting_text(each["value"], fact == known.end() ? "" : fact->unit)
                                 : "";
    if (text.empty()) refused = "this names no parameter, or gives it no value: " + text_of(each).substr(0, 200);
    settings.push_back({{"path", name}, {"text", text}});
  }
  Json request{{"op", "set"}, {"settings", std::move(settings)}};
  if (message.contains("id")) request["id"] = message["id"];
  if (refused.empty() && !hub_.ask(*this, request)) refused = "too many requests wait";
  if (!refused.empty()) answered(request, {{"ok", false}, {"error", "nothing was set: " + refused}});
}

/// What holds now, whether it was taken or refused.
void FoxgloveSession::answered(const Json& request, const Json& reply) {
  if (const auto service = request.find("service"); service != request.end()) {
    const ServiceCall call{service->at(0).get<std::uint32_t>(), service->at(1).get<std::uint32_t>(), request, {}};
    return outbox().answer(reply.value("ok", false) ? FoxgloveServices::answer(call, reply)
                                                    : FoxgloveServices::failure(call, text_at(reply, "error")));
  }
  if (!reply.value("ok", false)) status(Level::error, text_at(reply, "error"));
  Json message{{"parameterNames", Json::array()}};
  for (const Json& each : list_in(request, "settings")) message["parameterNames"].push_back(each["path"]);
  if (message["parameterNames"].empty()) return;
  if (request.contains("id")) message["id"] = request["id"];
  get_parameters(message);
}

void FoxgloveSession::follow(const Json& message, bool wanted) {
  hub_.with_signals([&](const ServedSignals&) {
    const Json& names = list_in(message, "parameterNames");
    if (names.empty()) follows_all_ = wanted;
    if (names.empty() && !wanted) followed_.clear();
    for (const Json& each : names) {
      if (!each.is_string()) continue;
      if (wanted && followed_.size() < most_subscriptions) followed_.insert(each.get<std::string>());
      if (!wanted) followed_.erase(each.get<std::string>());
    }
  });
}

} // namespace hilda::studio

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/clients/foxglove_services.h"

#include "tools/studio/detail/clients/requests.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hilda::studio {
namespace {

constexpr std::uint8_t call_request = 2, call_response = 3;
constexpr std::size_t head_bytes = 1 + 3 * sizeof(std::uint32_t);

/// A service's id is its place here, from 1.
struct Service {
  const char *op, *doc;
  std::array<std::pair<const char*, const char*>, 3> fields; ///< numbers, with what they say; null: no more
};
constexpr std::array<Service, 5> services{
    {{"run",
      "Runs the simulation",
      {{{"for", "s from now; to the end if missing"},
        {"until", "s"},
        {"speed", "times as fast as real, 0: as fast as it can"}}}},
     {"pause", "Pauses the simulation", {}},
     {"step", "Takes ticks", {{{"n", "ticks, 1 if missing"}}}},
     {"back", "Goes back in time", {{{"n", "ticks, 1 if missing"}, {"to", "s, instead of n"}}}},
     {"restart", "Goes to t = 0, in the diagram as its files are now", {}}}};

std::uint32_t number_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// A JSON schema of an object, as Foxglove's panel shows it.
Json definition(const std::string& name, const Json& properties) {
  return {{"encoding", "json"},
          {"schemaName", name},
          {"schemaEncoding", "jsonschema"},
          {"schema", Json{{"type", "object"}, {"properties", properties}}.dump()}};
}

Json advertised(std::uint32_t id) {
  const Service& service = services.at(id - 1);
  Json fields = Json::object();
  for (const auto& [name, doc] : service.fields)
    if (name != nullptr) fields[name] = {{"type", "number"}, {"description", doc}};
  const std::string name = std::string("hilda/") + service.op;
  return {{"id", id},
          {"name", name},
          {"type", name},
          {"request", definition(name, fields)},
          {"response", definition(name + "_reply", {{"ok", {{"type", "boolean"}}}})}};
}

} // namespace

std::vector<Json> FoxgloveServices::offer(const Json& may) {
  std::vector<std::uint32_t> now;
  for (std::uint32_t id = 1; id <= services.size(); ++id)
    if (may.is_array() && std::find(may.begin(), may.end(), services.at(id - 1).op) != may.end()) now.push_back(id);
  if (now == offered_) return {};
  Json come = Json::array(), gone = Json::array();
  for (const std::uint32_t id : now)
    if (std::find(offered_.begin(), offered_.end(), id) == offered_.end()) come.push_back(advertised(id));
  for (const std::uint32_t id : offered_)
    if (std::find(now.begin(), now.end(), id) == now.end()) gone.push_back(id);
  offered_ = std::move(now);
  std::vector<Json> messages;
  if (!gone.empty()) messages.push_back({{"op", "unadvertiseServices"}, {"serviceIds", std::move(gone)}});
  if (!come.empty()) messages.push_back({{"op", "advertiseServices"}, {"services", std::move(come)}});
  return messages;
}

bool FoxgloveServices::read(std::span<const std::byte> bytes, ServiceCall& call) const {
  if (bytes.empty() || bytes[0] != std::byte{call_request}) return false;
  if (bytes.size() < head_bytes) {
    call.error = "the message is shorter than the head of a service call";
    return true;
  }
  call.service = number_at(bytes, 1), call.call = number_at(bytes, 5);
  const std::size_t encoding_bytes = number_at(bytes, 9), rest = bytes.size() - head_bytes;
  if (std::find(offered_.begin(), offered_.end(), call.service) == offered_.end()) {
    call.error = "there is no such service now";
    return true;
  }
  const char* const text = reinterpret_cast<const char*>(bytes.data()) + head_bytes;
  if (encoding_bytes > rest || std::string(text, encoding_bytes) != "json") {
    call.error = "a request is encoded as json";
    return true;
  }
  const std::string payload(text + encoding_bytes, rest - encoding_bytes);
  const Json fields = payload.empty() ? Json::object() : parse_request(payload);
  if (!fields.is_object()) {
    call.error = "a request is a JSON object";
    return true;
  }
  const Service& service = services.at(call.service - 1);
  Json body{{"op", service.op}};
  for (const auto& [name, value] : fields.items()) {
    const bool known = std::any_of(service.fields.begin(), service.fields.end(), [&name = name](const auto& field) {
      return field.first != nullptr && name == field.first;
    });
    if (!known || !value.is_number()) {
      call.error = "'" + name.substr(0, 100) + "' is not a field of hilda/" + service.op + ", or no number";
      return true;
    }
    body[name] = value;
  }
  body["service"] = {call.service, call.call};
  call.body = std::move(body);
  return true;
}

Message FoxgloveServices::answer(const ServiceCall& call, const Json& reply) {
  std::string bytes(1, static_cast<char>(call_response));
  append_number(bytes, call.service);
  append_number(bytes, call.call);
  append_number(bytes, std::uint32_t{4});
  bytes += "json" + reply.dump(-1, ' ', false, Json::error_handler_t::replace);
  return {true, std::move(bytes)};
}

Message FoxgloveServices::failure(const ServiceCall& call, const std::string& error) {
  const Json message{
      {"op", "serviceCallFailure"}, {"serviceId", call.service}, {"callId", call.call}, {"message", error}};
  return {false, message.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

} // namespace hilda::studio

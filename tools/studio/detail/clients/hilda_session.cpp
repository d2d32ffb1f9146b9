// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/clients/hilda_session.h"

#include "engine/quantity/printed_unit.h"
#include "tools/studio/hub.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace hilda::studio {
namespace {

/// What a request may be that is passed on to the run.
constexpr std::array<std::string_view, 33> passed_on = {
    "run",     "pause", "step",    "back",        "set",         "get",     "changes",   "save",    "reload",
    "restart", "check", "source",  "new_plugin",  "scene",       "summary", "documents", "view",    "edit",
    "try",     "undo",  "redo",    "write",       "diff",        "fits",    "palette",   "recover", "resolve",
    "copy",    "paste", "layouts", "keep_layout", "drop_layout", "audit"};

double number_at(const Json& json, const char* key, double otherwise) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : otherwise;
}

std::vector<std::string> texts_at(const Json& json, const char* key) {
  std::vector<std::string> texts;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return texts;
  for (const Json& each : *found)
    if (each.is_string()) texts.push_back(each.get<std::string>());
  return texts;
}

Json finite(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json problems_json(const std::vector<std::pair<std::string, std::string>>& problems) {
  Json all = Json::array();
  for (const auto& [path, error] : problems) all.push_back({{"path", path}, {"error", error}});
  return all;
}

/// None, and `error`, where it is none.
std::optional<Trigger> trigger_of(const Json& json, double window, std::string& error) {
  Trigger trigger;
  trigger.signal = text_at(json, "signal");
  trigger.level = number_at(json, "level", 0);
  trigger.before = number_at(json, "pre", 0);
  const std::string edge = json.contains("edge") ? text_at(json, "edge") : "rising";
  const std::string mode = json.contains("mode") ? text_at(json, "mode") : "auto";
  if (edge == "falling") trigger.edge = Trigger::Edge::falling;
  if (edge == "either") trigger.edge = Trigger::Edge::either;
  if (mode == "normal") trigger.mode = Trigger::Mode::normal;
  if (mode == "single") trigger.mode = Trigger::Mode::single;
  if (trigger.signal.empty()) error = "a trigger has a 'signal'";
  if (edge != "rising" && edge != "falling" && edge != "either") error = "'edge' is rising, falling or either";
  if (mode != "auto" && mode != "normal" && mode != "single") error = "'mode' is auto, normal or single";
  if (!(trigger.before >= 0 && trigger.before <= window)) error = "'pre' lies between 0 and 'window'";
  if (!std::isfinite(trigger.level)) error = "'level' is a number";
  return error.empty() ? std::optional(trigger) : std::nullopt;
}

std::optional<ScopeSettings> scope_of(const Json& json, std::string& error) {
  constexpr double least_points = 16, most_points = 20'000, longest = 1e6;
  ScopeSettings settings;
  settings.name = text_at(json, "scope");
  settings.signals = texts_at(json, "signals");
  settings.window = number_at(json, "window", 1);
  const double points = number_at(json, "points", 2000);
  if (settings.name.empty() || settings.name.size() > 100) error = "a scope has a name, in 'scope'";
  if (settings.signals.empty()) error = "'signals' names one signal at least";
  if (!(settings.window > 0 && settings.window <= longest)) error = "'window' is a time above 0 s, 1e6 s at most";
  if (!(points >= least_points && points <= most_points)) error = "'points' lies between 16 and 20000";
  if (!error.empty()) return std::nullopt;
  settings.points = static_cast<std::size_t>(points);
  if (json.contains("trigger") && json["trigger"].is_object()) {
    settings.trigger = trigger_of(json["trigger"], settings.window, error);
    if (!settings.trigger) return std::nullopt;
  }
  return settings;
}

} // namespace

Message HildaSession::lost_message(std::uint64_t lost) { return {false, text_of({{"op", "lost"}, {"frames", lost}})}; }

void HildaSession::refuse(const Json& request, const std::string& error, const std::string& help) {
  Json reply{{"ok", false}, {"error", error}};
  if (!help.empty()) reply["help"] = help;
  answered(request, reply);
}

void HildaSession::answered(const Json& request, const Json& reply) {
  const bool asked = request.is_object() && request.contains("id");
  if (!asked && reply.value("ok", false)) return;
  Json answer{{"op", "reply"}, {"id", asked ? request["id"] : Json(nullptr)}};
  answer.update(reply);
  say(answer);
}

void HildaSession::hear(std::span<const std::byte>) { refuse({}, "hilda.v1 is spoken in texts"); }

void HildaSession::hear(const std::string& text) {
  const Json request = parse_request(text);
  if (!request.is_object()) {
    const Json id = id_in(text);
    return refuse(id.is_null() ? Json() : Json{{"id", id}}, "this is not a JSON object");
  }
  const std::string op = text_at(request, "op");
  if (op == "watch") return watch(request);
  if (op == "scope") return scope(request);
  if (op == "unscope") return unscope(request);
  if (op == "hello") return hear_hello(request);
  if (op == "convert") return convert(request);
  if (std::find(passed_on.begin(), passed_on.end(), op) == passed_on.end())
    return refuse(request, "there is no request '" + op.substr(0, 100) + "'", "docs/studio.md lists them");
  if (!hub_.ask(*this, request)) refuse(request, "too many requests wait", "wait for the answers");
}

void HildaSession::watch(const Json& request) {
  const std::vector<std::string> names = texts_at(request, "signals");
  const auto list = request.find("signals");
  if (list != request.end() && (!list->is_array() || list->size() != names.size()))
    return refuse(request, "'signals' is a list of paths", R"({"op": "watch", "signals": ["plant.y"]})");
  if (names.size() > most_watched) return refuse(request, "at most 256 signals can be watched");
  constexpr std::size_t enough = 1000; // frames, for most rates
  std::vector<std::pair<std::string, std::string>> problems;
  hub_.with_signals([&](const ServedSignals& signals) {
    std::map<std::string, FrameReader> watched;
    for (const std::string& name : names) {
      if (const auto known = watched_.find(name); known != watched_.end()) {
        watched.insert(watched_.extract(known));
        continue;
      }
      FrameReader reader;
      FrameReader* fresh = nullptr;
      if (const std::string problem = reader.add(name, signals); !problem.empty())
        problems.emplace_back(name, problem);
      else
        fresh = &watched.emplace(name, std::move(reader)).first->second;
      if (fresh != nullptr) hub_.past(enough, [fresh](const TickSamples& samples) { (void)fresh->take(samples); });
    }
    watched_ = std::move(watched);
    values_changed_ = true;
  });
  answered(request, {{"ok", true}, {"problems", problems_json(problems)}});
}

void HildaSession::scope(const Json& request) {
  std::string error;
  const std::optional<ScopeSettings> settings = scope_of(request, error);
  if (!settings) return refuse(request, error);
  Json series = Json::array(), problems;
  bool room = true;
  hub_.with_signals([&](const ServedSignals& signals) {
    room = scopes_.contains(settings->name) || scopes_.size() < most_scopes;
    if (!room) return;
    ScopeFeed made(*settings, signals);
    for (const FrameReader::Column& column : made.columns())
      series.push_back({{"name", column.name}, {"unit", column.unit}});
    problems = problems_json(made.problems());
    if (!settings->trigger) hub_.past(SIZE_MAX, [&made](const TickSamples& samples) { made.take(samples); });
    scopes_.insert_or_assign(settings->name, std::move(made));
  });
  if (!room) return refuse(request, "at most 16 scopes can be open");
  answered(request, {{"ok", true}, {"series", std::move(series)}, {"problems", std::move(problems)}});
}

/// How values in one unit are written in another: they are multiplied, then the offset is added.
void HildaSession::convert(const Json& request) {
  const std::string from = text_at(request, "from"), to = text_at(request, "to");
  const Result<UnitReading> one = parse_unit(from), other = parse_unit(to);
  if (!one) return refuse(request, one.error().what, one.error().help);
  if (!other) return refuse(request, other.error().what, other.error().help);
  if (one->unit != other->unit &&
      printed_unit(*one, from) != printed_unit(*other, to)) // "J" and "N m" are torques here
    return refuse(request, "'" + to + "' is a unit of another quantity than '" + from + "'",
                  "write a unit of " + one->unit.text());
  const double factor = one->factor() / other->factor();
  answered(request, {{"ok", true}, {"factor", factor}, {"offset", other->from_si(one->to_si(0))}});
}

void HildaSession::unscope(const Json& request) {
  hub_.with_signals([&](const ServedSignals&) { scopes_.erase(text_at(request, "scope")); });
  answered(request, {{"ok", true}});
}

/// Signals that are not in the new run are left out: a client that shows one asks again.
void HildaSession::begin(const ServedSignals& signals) {
  std::map<std::string, ScopeFeed> scopes;
  for (const auto& [name, scope] : scopes_) {
    ScopeFeed again(scope.settings(), signals);
    if (again.problems().empty()) scopes.emplace(name, std::move(again));
  }
  scopes_ = std::move(scopes);
  for (auto& [name, reader] : watched_) {
    reader = {};
    (void)reader.add(name, signals);
  }
}

void HildaSession::take(const ServedSignals&, const TickSamples& samples) {
  tick_ = samples.tick;
  time_ = samples.time;
  for (auto& [name, scope] : scopes_) scope.take(samples);
  for (auto& [name, reader] : watched_) values_changed_ = reader.take(samples) || values_changed_;
}

void HildaSession::event(std::int64_t tick, const EventParts& parts) {
  const std::string numbers = text_of_numbers(written_numbers(parts));
  say({{"op", "event"},
       {"tick", tick},
       {"kind", parts.kind},
       {"text", numbers.empty() ? parts.text : std::string_view(numbers)}});
}

void HildaSession::lost(std::int64_t tick, std::uint64_t ticks) {
  say({{"op", "event"}, {"tick", tick}, {"kind", "lost"}, {"text", std::to_string(ticks) + " ticks so far"}});
}

void HildaSession::look() {
  for (auto& [name, scope] : scopes_)
    if (const auto shown = scope.show()) say_shown(scope, *shown);
  if (++looks_ % looks_a_value == 0 && values_changed_) say_values();
}

void HildaSession::say_values() {
  values_changed_ = false;
  Json values = Json::object();
  for (const auto& [name, reader] : watched_) {
    const std::span<const double> latest = reader.latest();
    if (latest.empty()) continue;
    Json& value = values[name];
    if (latest.size() == 1) {
      value = finite(latest.front());
      continue;
    }
    value = Json::array();
    for (const double each : latest) value.push_back(finite(each));
  }
  outbox().samples(
      {false, text_of({{"op", "values"}, {"tick", tick_}, {"time", time_}, {"values", std::move(values)}})});
}

void HildaSession::say_shown(const ScopeFeed& scope, const ScopeFeed::Shown& shown) {
  Json names = Json::array();
  for (const FrameReader::Column& column : scope.columns()) names.push_back(column.name);
  Json head{{"op", shown.sweep ? "sweep" : "samples"},
            {"scope", scope.settings().name},
            {"epoch", epoch_},
            {"count", shown.rows.count()},
            {"series", std::move(names)},
            {"lost", outbox().lost()}};
  if (shown.sweep) head["at"] = shown.at ? Json(*shown.at) : Json(nullptr);
  std::string text = text_of(head);
  constexpr std::size_t word = sizeof(double);
  while ((sizeof(std::uint32_t) + text.size()) % word != 0) text += ' ';
  const auto size = static_cast<std::uint32_t>(text.size());
  const std::size_t rows = shown.rows.count(), columns = shown.rows.columns();
  std::string bytes(sizeof size + text.size() + rows * (columns + 1) * word, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  std::memcpy(bytes.data() + sizeof size, text.data(), text.size());
  char* at = bytes.data() + sizeof size + text.size();
  const auto put = [&at](double number) {
    std::memcpy(at, &number, sizeof number);
    at += sizeof number;
  };
  for (std::size_t r = 0; r < rows; ++r) put(shown.rows.time(r));
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < rows; ++r) put(shown.rows.at(r, c));
  outbox().samples({true, std::move(bytes)});
}

Json whole_hello(const DiagramFacts& facts) {
  Json hello = facts.hello;
  for (std::size_t i = 0; i < facts.parameters.size(); ++i) {
    hello["parameters"][i]["text"] = facts.parameters[i].text;
    hello["parameters"][i]["value"] = facts.parameters[i].value;
    hello["parameters"][i]["in_file"] = facts.parameters[i].file;
  }
  return hello;
}

/// Anyone who says what it has received hears from now on what has changed since, each time.
void HildaSession::hear_hello(const Json& request) {
  if (request.contains("since") && !request["since"].is_number_integer())
    return refuse(request, "'since' is not a whole number", "it is the 'revision' of the last hello, or is left out");
  bool knows = false;
  hub_.with_signals([&](const ServedSignals&) {
    if (!request.contains("since")) return;
    by_changes_ = true;
    knows = revision_ != 0 && number_at(request, "since", 0) == static_cast<double>(revision_);
  });
  if (!knows) hub_.greet(*this);
  answered(request, {{"ok", true}});
}

/// Nothing, before there is a diagram.
void HildaSession::told(const DiagramFacts& facts) {
  if (!facts.hello.is_object()) return;
  const bool knows = by_changes_ && facts.changes.is_object() && facts.since == revision_ && revision_ != 0;
  revision_ = facts.hello.value("revision", std::int64_t{0});
  Json hello{{"op", "hello"}};
  if (knows)
    hello.update({{"since", facts.since}, {"revision", revision_}, {"changes", facts.changes}});
  else
    hello.update(whole_hello(facts));
  say(hello);
}

void HildaSession::told_state(const Json& state) {
  epoch_ = state.value("epoch", Json(0));
  if (!state.contains("state")) return;
  Json message{{"op", "state"}};
  message.update(state);
  say(message);
}

void HildaSession::told_parameters(const std::vector<ParameterFact>& changed) {
  Json parameters = Json::array();
  for (const ParameterFact& each : changed)
    parameters.push_back({{"path", each.path}, {"text", each.text}, {"value", each.value}, {"in_file", each.file}});
  say({{"op", "parameters"}, {"parameters", std::move(parameters)}});
}

void HildaSession::told_message(const Json& message) { say(message); }

} // namespace hilda::studio

// SPDX-License-Identifier: BSD-3-Clause
// What a SimulationDesk answers.
#include "tools/studio/simulation_desk.h"

#include <algorithm>
#include <cmath>

namespace hilda::studio {

const std::vector<SimulationDesk::Entry>& SimulationDesk::table() {
  static const std::vector<Entry> all{
      {"run", &SimulationDesk::run},         {"pause", &SimulationDesk::pause}, {"step", &SimulationDesk::step},
      {"back", &SimulationDesk::back},       {"set", &SimulationDesk::set},     {"get", &SimulationDesk::get},
      {"changes", &SimulationDesk::changes}, {"save", &SimulationDesk::save},   {"reload", &SimulationDesk::reload},
      {"restart", &SimulationDesk::restart}, {"scene", &SimulationDesk::scene}, {"summary", &SimulationDesk::summary}};
  return all;
}

std::vector<std::string> SimulationDesk::may() const {
  std::vector<std::string> ops{"check", "source"};
  for (const Entry& each : table()) ops.emplace_back(each.op);
  return with_edits(std::move(ops));
}

Json SimulationDesk::reply_to(const ClientRequest& request, const std::string& op) {
  for (const Entry& each : table())
    if (op == each.op) return (this->*each.answer)(request.body);
  return refused("there is no request '" + op + "'");
}

std::int64_t SimulationDesk::ticks_of(double seconds) const {
  constexpr std::int64_t far = std::int64_t{1} << 60; // may be added to a tick
  return std::min(ticks_in(seconds, simulation_.runtime().base()), far);
}

Json SimulationDesk::run(const Json& request) {
  take_edits();
  if (over())
    return refused(simulation_.ended() ? "the run has ended" : "the run's time is over",
                   "go back, or begin again with 'restart'");
  const double speed = request.value("speed", speed_);
  if (!(speed >= 0 && speed <= 1e6)) return refused("'speed' lies between 0 and 1e6");
  std::int64_t goal = no_goal;
  if (!(request.value("for", 0.0) >= 0)) return refused("'for' is a time in s, 0 at least");
  if (request.contains("for")) goal = simulation_.tick() + ticks_of(request["for"].get<double>());
  if (request.contains("until")) goal = std::min(goal, ticks_of(request["until"].get<double>()));
  if (goal < simulation_.tick()) return refused("that time is over", "'back' goes there");
  goal_ = goal;
  speed_ = speed;
  running_ = true;
  begin_pace();
  tell_state();
  return done();
}

Json SimulationDesk::pause(const Json&) {
  stand();
  return done();
}

Json SimulationDesk::step(const Json& request) {
  const double ticks = request.value("n", 1.0);
  if (!(ticks >= 1 && ticks <= 1e9 && ticks == std::floor(ticks)))
    return refused("'n' is a whole number of ticks, 1 at least");
  take_edits();
  if (over()) return refused("the run is over", "go back, or begin again with 'restart'");
  running_ = false;
  run_to(std::min(simulation_.last(), simulation_.tick() + static_cast<std::int64_t>(ticks)));
  tell_state();
  tell_summary();
  return done();
}

Json SimulationDesk::back(const Json& request) {
  const double ticks = request.value("n", 1.0);
  if (!(ticks >= 0 && ticks <= 1e15 && ticks == std::floor(ticks))) return refused("'n' is a whole number of ticks");
  if (!(request.value("to", 0.0) >= 0)) return refused("'to' is a time in s, 0 at least");
  running_ = false;
  std::int64_t to = simulation_.tick();
  if (request.contains("to"))
    to = ticks_of(request["to"].get<double>());
  else
    to -= static_cast<std::int64_t>(ticks);
  const std::string why = simulation_.back_to(to);
  if (!why.empty()) return refused("no way back: " + why);
  hub().rewind(simulation_.tick());
  tell_state();
  tell_parameters();
  tell_summary();
  return done();
}

Json SimulationDesk::set(const Json& request) {
  std::string error;
  const std::vector<LiveSetting> settings = settings_in(request, error);
  if (!error.empty()) return refused(error);
  static const std::string place = "page";
  Diagnostics diagnostics;
  std::vector<std::string> reset;
  const Runtime* const before = &simulation_.runtime();
  if (!simulation_.set(settings, diagnostics, reset, {&place, 0})) return refused(diagnostics);
  if (before != &simulation_.runtime())
    tell_diagram();
  else
    tell_parameters();
  return with_reset({{"ok", true}, {"tick", simulation_.tick()}}, reset);
}

Json SimulationDesk::get(const Json& request) {
  const std::string path = request.value("path", std::string());
  if (const std::optional<std::string> text = simulation_.tuning().text_of(path))
    return {{"ok", true}, {"text", *text}};
  const SystemSignal* const signal = simulation_.runtime().find_signal(path);
  if (signal == nullptr) return refused("there is no parameter and no signal " + in_quotes(path));
  Json values = Json::array();
  for (std::size_t i = 0; i < signal->span.count; ++i) switch (signal->span.element) {
    case HILDA_F64: values.push_back(static_cast<const double*>(signal->span.data)[i]); break;
    case HILDA_U8: values.push_back(static_cast<const std::uint8_t*>(signal->span.data)[i] != 0); break;
    default: values.push_back(static_cast<const std::int64_t*>(signal->span.data)[i]);
    }
  const bool plain = signal->type.kind == HILDA_PLAIN && signal->type.unit;
  return {{"ok", true},
          {"value", values.size() == 1 ? values.front() : values},
          {"unit", plain && !signal->type.unit->dimensionless() ? signal->type.unit->text() : ""}};
}

Json SimulationDesk::changes_json() const {
  Json all = Json::array();
  for (const TakenChange& each : simulation_.asked())
    for (const LiveSetting& setting : each.settings)
      all.push_back({{"tick", each.tick},
                     {"time", (simulation_.runtime().base() * Rational(each.tick)).value()},
                     {"path", setting.path},
                     {"text", setting.text}});
  return all;
}

Json SimulationDesk::changes(const Json&) { return {{"ok", true}, {"changes", changes_json()}}; }

Json SimulationDesk::save(const Json& request) {
  if (!simulation_.not_repeatable().empty())
    return refused("no overlay does this again: " + simulation_.not_repeatable());
  if (options_.unsaved && options_.unsaved())
    return refused("a terminal would run the diagram without the edits that are not saved", "save the diagram first");
  Json reply = hooks().save(request.value("file", std::string()), simulation_.repeat(options_.before));
  reply["ok"] = !reply.contains("error");
  return reply;
}

/// Reports a diagram that was loaded again, or why it was refused.
Json SimulationDesk::take_reloaded(bool taken, Diagnostics& diagnostics, const std::vector<std::string>& reset) {
  if (!taken) {
    hub().tell_message({{"op", "diagnostics"},
                        {"diagnostics", diagnostics_json(diagnostics.sorted())},
                        {"text", "the diagram was changed and has errors; the run stays as it was"}});
    return refused(diagnostics);
  }
  begin_pace();
  tell_diagram();
  return with_reset(done(), reset);
}

Json SimulationDesk::reload(const Json&) {
  Diagnostics diagnostics;
  std::vector<std::string> reset;
  const bool taken = simulation_.ended() ? simulation_.restart(diagnostics) : simulation_.reload(diagnostics, reset);
  return take_reloaded(taken, diagnostics, reset);
}

Json SimulationDesk::restart(const Json&) {
  running_ = false;
  Diagnostics diagnostics;
  const bool taken = simulation_.restart(diagnostics);
  if (taken) hub().rewind(0);
  return take_reloaded(taken, diagnostics, {});
}

Json SimulationDesk::scene(const Json& request) {
  std::string error;
  Json scene = drawings_.scene(simulation_.runtime().system(), *served().sources, request, error);
  if (!error.empty()) return refused(error);
  return {{"ok", true}, {"scene", std::move(scene)}};
}

Json SimulationDesk::summary(const Json&) {
  Json reply = done();
  reply.update(summary_message(simulation_.runtime()));
  reply.erase("op");
  return reply;
}

} // namespace hilda::studio

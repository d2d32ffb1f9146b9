// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/desks/desk.h"

#include "tools/studio/detail/desks/facts.h"
#include "tools/studio/detail/desks/page.h"

#include <algorithm>
#include <exception>

namespace hilda::studio {

Json Desk::refused(const std::string& error, const std::string& help) {
  Json reply{{"ok", false}, {"error", error}};
  if (!help.empty()) reply["help"] = help;
  return reply;
}

Json Desk::with_reset(Json reply, const std::vector<std::string>& states) {
  reply["reset"] = reply["anew"] = states;
  return reply;
}

Json Desk::refused(const Diagnostics& diagnostics) {
  const std::vector<Diagnostic> all = diagnostics.sorted();
  Json reply = all.empty() ? refused("it was refused") : refused(all.front().what, all.front().help);
  reply["diagnostics"] = diagnostics_json(all);
  return reply;
}

std::vector<LiveSetting> Desk::settings_in(const Json& request, std::string& error) {
  std::vector<LiveSetting> settings;
  const auto list = request.find("settings");
  if (list != request.end() && list->is_array())
    for (const Json& each : *list)
      if (each.is_object() && each.contains("path") && each["path"].is_string() && each.contains("text") &&
          each["text"].is_string())
        settings.push_back({each["path"].get<std::string>(), each["text"].get<std::string>()});
  if (settings.empty() || settings.size() != list->size())
    error = "'settings' is a list of {\"path\": \"lead_time\", \"text\": \"4 ms\"}";
  return settings;
}

std::vector<std::string> Desk::with_edits(std::vector<std::string> requests) const {
  requests.insert(requests.end(), hooks_.edit_requests.begin(), hooks_.edit_requests.end());
  requests.insert(requests.end(), hooks_.layout_requests.begin(), hooks_.layout_requests.end());
  return requests;
}

Desk::~Desk() { end_audit(refused("the audit was stopped, for the diagram was loaded again", "audit it once more")); }

void Desk::attend() {
  look_at_audit();
  for (std::size_t i = 0; i < RequestQueue::most; ++i) {
    const std::optional<ClientRequest> request = hub_.requests().take();
    if (!request) return;
    Json reply;
    try {
      reply = answer_to(*request);
    } catch (const Json::exception& problem) {
      reply = refused("a field of this request is not what it must be", problem.what());
    }
    if (!reply.is_null()) request->answer(std::move(reply));
  }
}

Json Desk::answer_to(const ClientRequest& request) {
  const std::string op = request.body.value("op", std::string());
  if (op == "check") {
    Json reply = done();
    reply["diagnostics"] = diagnostics_json(hooks_.check(request.body.value("text", std::string())));
    return reply;
  }
  if (op == "new_plugin" && hooks_.new_plugin) {
    Json reply =
        hooks_.new_plugin(request.body.value("subsystem", std::string()), request.body.value("name", std::string()));
    reply["ok"] = !reply.contains("error");
    return reply;
  }
  if (op == "audit" && hooks_.audit.begin) return audit(request);
  if (op == "source") {
    const auto [file, text] = hooks_.source();
    return {{"ok", true}, {"file", file}, {"text", text}};
  }
  if (hooks_.layouts)
    if (std::optional<Json> reply = hooks_.layouts(op, request.body)) {
      if (op != "layouts" && reply->value("ok", false)) { // for all who look at the diagram
        Json message{{"op", "layouts"}};
        message.update(*reply);
        hub_.tell_message(message);
      }
      return std::move(*reply);
    }
  if (hooks_.edit)
    if (std::optional<Json> reply = hooks_.edit(op, request.body)) return std::move(*reply);
  const std::vector<std::string> known = may();
  if (std::find(known.begin(), known.end(), op) == known.end())
    return refused(why_not(op), "'may' of the message 'state' lists what is");
  return reply_to(request, op);
}

Json Desk::audit(const ClientRequest& request) {
  constexpr double usual = 1, longest = 1000; // s
  if (request.body.value("stop", false)) return end_audit(refused("the audit was stopped")), done();
  if (audited_) return refused("an audit is running already", "wait for its end, or stop it");
  const double seconds = request.body.value("for", usual);
  if (!(seconds > 0 && seconds <= longest)) return refused("'for' is a time above 0 s, 1000 s at most");
  Json reply = hooks_.audit.begin(seconds);
  if (reply.is_null()) audited_ = request;
  return reply;
}

void Desk::end_audit(Json reply) {
  if (!audited_) return;
  hooks_.audit.end();
  audited_->answer(std::move(reply));
  audited_.reset();
}

void Desk::look_at_audit() {
  if (!audited_) return;
  if (audited_->from.expired()) return end_audit(nullptr);
  if (Json reply = hooks_.audit.result(); !reply.is_null()) end_audit(std::move(reply));
}

BrokenDesk::BrokenDesk(Hub& hub_of_run, DeskHooks hooks, const std::string& file, const Diagnostics& diagnostics)
    : Desk(hub_of_run, std::move(hooks)) {
  DiagramFacts facts;
  const Json none = Json::array();
  facts.hello = {{"diagram", {{"file", file}, {"name", ""}, {"mode", ""}, {"doc", ""}, {"period", nullptr}}},
                 {"scene", nullptr},
                 {"parameters", none},
                 {"signals", none},
                 {"aliases", Json::object()},
                 {"blocks", none},
                 {"types", Json::object()},
                 {"figures", none},
                 {"diagnostics", diagnostics_json(diagnostics.sorted())},
                 {"lacking", page_lacks()}};
  hub().tell(std::move(facts));
  hub().tell_state(
      {{"state", "broken"}, {"tick", 0}, {"time", 0}, {"last", nullptr}, {"may", may()}, {"ending", nullptr}});
}

Json BrokenDesk::reply_to(const ClientRequest&, const std::string&) {
  again_ = true;
  return done();
}

} // namespace hilda::studio

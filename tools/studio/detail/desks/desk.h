// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/compile/live_change.h"
#include "engine/session/saved_run.h"
#include "tools/modules.h"
#include "tools/studio/hub.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hilda::studio {

/// An audit of the diagram as it is on the disk, in another process. The desk has one at a time.
struct AuditHooks {
  /// Over so many s of simulated time: null where it begins, else the reply.
  std::function<Json(double seconds)> begin = {};
  /// The reply, once it is there; null until then.
  std::function<Json()> result = {};
  /// Ends it, also before its time.
  std::function<void()> end = {};
};

/// What a desk leaves to anyone who owns the run.
struct DeskHooks {
  /// What the text would bring as the diagram's file.
  std::function<std::vector<Diagnostic>(const std::string& text)> check;
  /// The diagram's file: its name, and its text as it is now.
  std::function<std::pair<std::string, std::string>()> source;
  /// Writes an overlay next to the log: `file`, `command`, or `error`.
  std::function<Json(const std::string& name, const RepeatableRun& saved)> save;
  /// Writes a plugin that is to replace a subsystem next to the diagram: `folder`, `text`, or `error`. For those
  /// who may edit.
  std::function<Json(const std::string& subsystem, const std::string& name)> new_plugin = {};
  AuditHooks audit = {};
  /// Why the log of the run ended before the run, or an empty text.
  std::function<std::string()> log_lost = {};
  /// Requests about layouts, and their answers.
  std::vector<std::string> layout_requests = {};
  std::function<std::optional<Json>(const std::string& op, const Json& request)> layouts = {};
  /// Editing (tools/studio/detail/edit): the requests, and their answers; none where nothing is edited.
  std::vector<std::string> edit_requests = {};
  std::function<std::optional<Json>(const std::string& op, const Json& request)> edit = {};
};

/// Takes what clients ask for, on the thread that attends a run, and answers it.
class Desk {
public:
  Desk(Hub& hub, DeskHooks hooks) : hub_(hub), hooks_(std::move(hooks)) {}
  virtual ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  /// All that waits.
  void attend();

protected:
  /// A reply with `ok`; null where it will be given later.
  virtual Json reply_to(const ClientRequest& request, const std::string& op) = 0;
  /// Requests that `reply_to` answers.
  virtual std::vector<std::string> may() const = 0;
  virtual std::string why_not(const std::string& op) const { return "'" + op + "' is not possible now"; }

  /// These, and the requests about editing and layouts.
  std::vector<std::string> with_edits(std::vector<std::string> requests) const;

  static Json done() { return {{"ok", true}}; }
  /// Adds the states that were reset; `anew` is the field's name in 0.1.0.
  static Json with_reset(Json reply, const std::vector<std::string>& states);
  static Json refused(const std::string& error, const std::string& help = "");
  static Json refused(const Diagnostics& diagnostics);
  /// Of a request's `settings`; `error` where they are none.
  static std::vector<LiveSetting> settings_in(const Json& request, std::string& error);

  Hub& hub() { return hub_; }
  const DeskHooks& hooks() const { return hooks_; }

private:
  Json answer_to(const ClientRequest& request);
  Json audit(const ClientRequest& request);
  void end_audit(Json reply);
  void look_at_audit();

  Hub& hub_;
  const DeskHooks hooks_;
  std::optional<ClientRequest> audited_; ///< waits for the reply to its audit
};

/// Of a diagram that cannot run: it is looked at until someone has mended it.
class BrokenDesk final : public Desk {
public:
  BrokenDesk(Hub& hub, DeskHooks hooks, const std::string& file, const Diagnostics& diagnostics);
  /// Someone asks for another try.
  bool again() const { return again_; }

private:
  Json reply_to(const ClientRequest& request, const std::string& op) override;
  std::vector<std::string> may() const override { return with_edits({"reload", "check", "source"}); }

  bool again_ = false;
};

} // namespace hilda::studio

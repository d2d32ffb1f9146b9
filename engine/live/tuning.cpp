#include "engine/live/tuning.h"

#include "engine/live/block_trial.h"
#include "engine/live/rate_limit.h"
#include "engine/live/watches.h"

#include <cstdint>
#include <cstring>
#include <set>

namespace hilda {
namespace {

constexpr const char* event_kind = "set";
constexpr std::size_t most_waiting = 64;
const std::string live_place = "live";

Location or_live(Location where) { return where.file != nullptr ? where : Location{&live_place, 0}; }

std::vector<Attribute> at(Location where, const std::vector<LiveSetting>& settings) {
  std::vector<Attribute> all;
  for (const LiveSetting& each : settings) all.push_back({each.path, each.text, or_live(where)});
  return all;
}

} // namespace

Tuning::Tuning(Runtime& runtime) : runtime_(runtime) {}

Tuning::~Tuning() { close(); }

std::optional<LiveChange> Tuning::look(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics,
                                       Location where) {
  const std::lock_guard guard(lock_);
  std::optional<LiveChange> change = look_at_change(runtime_.system(), at(where, settings), diagnostics);
  if (change && !may_change(*change, diagnostics, where)) return std::nullopt;
  return change;
}

/// With the lock held. False after errors.
bool Tuning::may_change(const LiveChange& change, Diagnostics& diagnostics, Location where) const {
  return try_change(runtime_, change.change, diagnostics) &&
         (!runtime_.moves_devices() || spares_watches(runtime_.system(), change, diagnostics, or_live(where)));
}

/// With the lock held: for how long nothing has changed what the rate is given for.
double Tuning::still(const LiveRate& rate) const {
  for (const Request& request : waiting_)
    if (concerns(rate, request->undo_)) return 0;
  for (auto request = taken_.rbegin(); request != taken_.rend(); ++request)
    if (concerns(rate, (*request)->undo_)) {
      const std::int64_t ticks = now_.load(std::memory_order_relaxed) - (*request)->taken();
      return ticks < 0 ? longest_still : (runtime_.base() * Rational(ticks)).value(); // below 0: in another past
    }
  return longest_still;
}

/// With the lock held. Null after errors.
Tuning::Request Tuning::prepare(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics, Location where,
                                Rates rates) {
  where = or_live(where);
  if (closed_ || stopping_.load(std::memory_order_relaxed)) {
    diagnostics.error("live-ended", where, "the run is over, or on its way to rest", "start another one");
    return nullptr;
  }
  const std::optional<LiveChange> looked = look_at_change(runtime_.system(), at(where, settings), diagnostics);
  if (!looked || !may_change(*looked, diagnostics, where)) return nullptr;
  if (looked->needs == ChangeNeeds::rebuild) {
    diagnostics.error("live-paused", where, "what is set may change only while the loop stands",
                      "in a simulation: pause it first; the diagram is then built anew and keeps its states");
    return nullptr;
  }
  const auto since = [this](const LiveRate& rate) { return still(rate); };
  if (rates == Rates::kept && !within_rates(runtime_.system(), *looked, since, diagnostics, where)) return nullptr;
  auto request = std::make_shared<LiveRequest>();
  request->settings_ = settings;
  request->event_ = settings_text(settings);
  if (request->event_.size() + std::strlen(event_kind) > Recorder::largest_event) {
    diagnostics.error("live-size", where,
                      "the request has " + std::to_string(request->event_.size()) + " bytes, and an event of the log " +
                          std::to_string(Recorder::largest_event),
                      "set fewer parameters at once, or write fewer digits");
    return nullptr;
  }
  request->patch_ = make_patch(runtime_.system(), runtime_.memory(), looked->change);
  request->undo_ = runtime_.adopt(looked->change);
  return request;
}

std::shared_ptr<const LiveRequest> Tuning::post(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics,
                                                Location where) {
  const std::lock_guard guard(lock_);
  gather();
  if (waiting_.size() >= most_waiting) {
    diagnostics.error("live-queue", or_live(where), std::to_string(most_waiting) + " requests wait for the loop",
                      "wait until they are taken");
    return nullptr;
  }
  Request request = prepare(settings, diagnostics, where, Rates::kept);
  if (request == nullptr) return nullptr;
  const LiveRequest* pointer = request.get();
  waiting_.push_back(request);
  ring_.try_push(std::as_bytes(std::span(&pointer, 1))); // there is room: a pointer takes 16 bytes of it
  return request;
}

bool Tuning::set(const std::vector<LiveSetting>& settings, Recorder* recorder, Diagnostics& diagnostics, Location where,
                 Rates rates) {
  if (recorder != nullptr) recorder->wait_for_room();
  take(recorder);
  const std::lock_guard guard(lock_);
  gather();
  const Request request = prepare(settings, diagnostics, where, rates);
  if (request == nullptr) return false;
  if (recorder != nullptr) {
    recorder->wait_for_room();
    recorder->event(runtime_.tick(), event_kind, request->event_);
  }
  runtime_.change(request->patch_);
  request->taken_.store(runtime_.tick(), std::memory_order_release);
  taken_.push_back(request);
  return true;
}

void Tuning::take(Recorder* recorder) noexcept {
  now_.store(runtime_.tick(), std::memory_order_relaxed);
  stopping_.store(runtime_.stopping(), std::memory_order_relaxed);
  std::span<const std::byte> frame;
  while (ring_.front(frame)) {
    LiveRequest* request = nullptr;
    std::memcpy(&request, frame.data(), sizeof(std::uintptr_t));
    if (runtime_.stopping()) return;
    if (recorder != nullptr && !recorder->event(runtime_.tick(), event_kind, request->event_)) return;
    runtime_.change(request->patch_);
    ring_.pop();
    request->taken_.store(runtime_.tick(), std::memory_order_release); // from here on it is its owner's again
  }
}

void Tuning::gather() {
  for (; !waiting_.empty() && waiting_.front()->taken() != LiveRequest::waiting; waiting_.pop_front())
    taken_.push_back(waiting_.front());
}

void Tuning::close() {
  const std::lock_guard guard(lock_);
  closed_ = true;
  gather();
  for (; !waiting_.empty(); waiting_.pop_back()) {
    runtime_.take_back(waiting_.back()->undo_);
    waiting_.back()->taken_.store(LiveRequest::dropped, std::memory_order_release);
  }
  std::span<const std::byte> frame;
  while (ring_.front(frame)) ring_.pop();
}

std::vector<TakenChange> Tuning::taken() {
  const std::lock_guard guard(lock_);
  gather();
  std::vector<TakenChange> all;
  for (const Request& request : taken_) all.push_back({request->taken(), request->settings()});
  return all;
}

void Tuning::take_back_to(std::int64_t tick) {
  const std::lock_guard guard(lock_);
  gather();
  std::set<BlockParameter> changed;
  while (taken_.size() > kept_ && taken_.back()->taken() >= tick) {
    runtime_.take_back(taken_.back()->undo_);
    for (const auto& [parameter, before] : taken_.back()->undo_.blocks) changed.insert(parameter);
    taken_.pop_back();
  }
  if (!changed.empty())
    runtime_.change(
        make_patch(runtime_.system(), runtime_.memory(), std::vector<BlockParameter>(changed.begin(), changed.end())));
}

void Tuning::keep() {
  const std::lock_guard guard(lock_);
  gather();
  kept_ = taken_.size();
}

std::size_t Tuning::kept() {
  const std::lock_guard guard(lock_);
  return kept_;
}

std::optional<std::string> Tuning::text_of(const std::string& path) {
  const std::lock_guard guard(lock_);
  const System& system = runtime_.system();
  const std::optional<ParameterText> found = find_parameter(system, path);
  if (!found) return std::nullopt;
  if (found->parameter.valid()) return system.parameters[found->parameter].value.text;
  return system.blocks[found->in_block.block].parameters[found->in_block.index].value.text;
}

void set_again(Tuning& before, Tuning& now, std::vector<std::string>& anew) {
  for (const TakenChange& each : before.taken()) {
    Diagnostics unheard;
    if (now.set(each.settings, nullptr, unheard, {}, Tuning::Rates::ignored)) continue;
    for (const LiveSetting& setting : each.settings) {
      Diagnostics refused;
      if (!now.set({setting}, nullptr, refused, {}, Tuning::Rates::ignored))
        anew.push_back(setting.path + ": its value is the file's");
    }
  }
  now.keep();
}

} // namespace hilda

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/tuning.h"

#include "engine/base/error.h"
#include "engine/session/detail/live/block_trial.h"
#include "engine/session/detail/live/inputs/numbers_text.h"
#include "engine/session/detail/live/rate_limit.h"
#include "engine/session/detail/live/watches.h"
#include "engine/session/find_input.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <set>

namespace hilda::session {
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
  settle_numbers();
  std::optional<LiveChange> change = look_at_change(runtime_.system(), at(where, settings), diagnostics);
  if (change && !may_change(*change, diagnostics, where)) return std::nullopt;
  return change;
}

/// With the lock held. False after errors.
bool Tuning::may_change(const LiveChange& change, Diagnostics& diagnostics, Location where) const {
  return try_change(runtime_, change.change, diagnostics) &&
         (!runtime_.moves_devices() || spares_watches(runtime_.system(), change, diagnostics, or_live(where)));
}

/// With the lock held. A text that takes a block's parameter away from an input that writes it would leave two values.
bool Tuning::spares_inputs(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics, Location where) const {
  for (const LiveSetting& each : settings) {
    const std::optional<ParameterText> found = find_parameter(runtime_.system(), each.path);
    if (!found || found->parameter.valid()) continue;
    const Input* const writer = inputs_.writer_of(found->in_block);
    if (writer == nullptr || writer->path() == each.path) continue;
    diagnostics.error("input-shared", where,
                      in_quotes(each.path) + " is written by a program, through the input " + in_quotes(writer->path()),
                      "set " + in_quotes(writer->path()));
    return false;
  }
  return true;
}

/// With the lock held: what inputs write, and a request will change, it changes whatever the system's value is.
void Tuning::find_inputs(const ParameterChange& change, LiveRequest& request) {
  std::vector<BlockParameter> more;
  for (const ParameterChange::InBlock& each : change.blocks) {
    Input* const writer = inputs_.writer_of(each.parameter);
    if (writer == nullptr) continue;
    if (std::find(request.inputs_.begin(), request.inputs_.end(), writer) == request.inputs_.end())
      request.inputs_.push_back(writer);
    const Value& before = runtime_.system().blocks[each.parameter.block].parameters[each.parameter.index].value;
    if (same_numbers(each.value, before)) more.push_back(each.parameter);
    inputs_.settled_as(*writer) = nullptr;
  }
  if (more.empty()) return;
  ParameterPatch also = make_patch(runtime_.system(), runtime_.memory(), more);
  for (ParameterPatch::Write& each : also.writes) request.patch_.writes.push_back(std::move(each));
  for (const BlockIndex each : also.blocks)
    if (std::find(request.patch_.blocks.begin(), request.patch_.blocks.end(), each) == request.patch_.blocks.end())
      request.patch_.blocks.push_back(each);
}

/// With the lock held: for how long nothing has changed what the rate is given for.
double Tuning::still(const LiveRate& rate) const {
  for (const Request& request : waiting_)
    if (concerns(rate, request->undo_)) return 0;
  std::int64_t moved = inputs_.moved(rate.path); // of what was written as numbers `taken_` has the first tick
  for (auto request = taken_.rbegin(); request != taken_.rend(); ++request)
    if (concerns(rate, (*request)->undo_)) {
      moved = std::max(moved, (*request)->taken());
      break;
    }
  const std::int64_t now = now_.load(std::memory_order_relaxed);
  if (moved < 0 || now < moved) return longest_still; // in another past
  return (runtime_.base() * Rational(now - moved)).value();
}

/// With the lock held. Null after errors.
Tuning::Request Tuning::prepare(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics, Location where,
                                Rates rates) {
  where = or_live(where);
  if (closed_ || stopping_.load(std::memory_order_relaxed)) {
    diagnostics.error("live-ended", where, "the run is over, or on its way to rest", "start another one");
    return nullptr;
  }
  settle_numbers();
  if (!spares_inputs(settings, diagnostics, where)) return nullptr;
  const std::optional<LiveChange> looked = look_at_change(runtime_.system(), at(where, settings), diagnostics);
  if (!looked || !may_change(*looked, diagnostics, where)) return nullptr;
  if (looked->needs == ChangeNeeds::rebuild) {
    diagnostics.error("live-paused", where, "a setting can only be changed while the loop is paused",
                      "in a simulation: pause it first; the diagram is then rebuilt and keeps its states");
    return nullptr;
  }
  const auto since = [this](const LiveRate& rate) { return still(rate); };
  if (rates == Rates::kept && !session::within_rates(runtime_.system(), *looked, since, diagnostics, where))
    return nullptr;
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
  find_inputs(looked->change, *request);
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
  do {
    if (recorder != nullptr) recorder->wait_for_room();
    take(recorder);
  } while (recorder != nullptr && numbers_wait());
  const std::lock_guard guard(lock_);
  gather();
  const Request request = prepare(settings, diagnostics, where, rates);
  if (request == nullptr) return false;
  if (recorder != nullptr) {
    recorder->wait_for_room();
    recorder->event(runtime_.tick(), event_kind, request->event_);
  }
  runtime_.change(request->patch_);
  inputs_.look_again(request->inputs_);
  ++texts_;
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
    if (request == nullptr) { // numbers
      inputs_.stage(frame.subspan(sizeof(std::uintptr_t)));
      ring_.pop();
      continue;
    }
    if (!inputs_.apply(recorder, texts_)) return; // what came before
    if (recorder != nullptr && !recorder->event(runtime_.tick(), event_kind, request->event_)) return;
    runtime_.change(request->patch_);
    inputs_.look_again(request->inputs_);
    ++texts_;
    ring_.pop();
    request->taken_.store(runtime_.tick(), std::memory_order_release); // from here on it is its owner's again
  }
  if (!runtime_.stopping()) inputs_.apply(recorder, texts_);
}

/// With the lock held.
void Tuning::gather() {
  for (; !waiting_.empty() && waiting_.front()->taken() != LiveRequest::waiting; waiting_.pop_front())
    insert(waiting_.front());
}

/// By tick. What follows it was taken later, and changes something else.
void Tuning::insert(const Request& request) {
  auto at = taken_.end();
  while (at != taken_.begin() + static_cast<std::ptrdiff_t>(kept_) && (*(at - 1))->taken() > request->taken()) --at;
  taken_.insert(at, request);
}

std::shared_ptr<Input> Tuning::input(const std::string& path, Diagnostics& diagnostics, Location where) {
  where = or_live(where);
  const std::lock_guard guard(lock_);
  if (closed_ || stopping_.load(std::memory_order_relaxed)) {
    diagnostics.error("live-ended", where, "the run is over, or on its way to rest", "start another one");
    return nullptr;
  }
  if (std::shared_ptr<Input> there = inputs_.find(path)) return there;
  if (runtime_.moves_devices()) {
    const std::optional<FoundInput> found = find_input(runtime_.system(), runtime_.memory(), path, diagnostics, where);
    if (!found) return nullptr;
    std::vector<BlockParameter> written;
    for (const InputTarget& each : found->targets) written.push_back(each.parameter);
    if (!spares_watches(runtime_.system(), written, diagnostics, where)) return nullptr;
  }
  return inputs_.open(path, diagnostics, where);
}

Written Tuning::look(std::span<const InputNumbers> numbers, std::size_t* refused) const noexcept {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Written looked = !numbers[i].input->open()         ? Written::gone
                           : !inputs_.has(*numbers[i].input) ? Written::other_run
                                                             : numbers[i].input->look(numbers[i].numbers);
    if (looked == Written::taken) continue;
    if (refused != nullptr) *refused = i;
    return looked;
  }
  return Written::taken;
}

Written Tuning::write(std::span<const InputNumbers> numbers, std::size_t* refused) noexcept {
  Written written = look(numbers, refused);
  for (std::size_t i = 0; i < numbers.size() && written == Written::taken; ++i) {
    if (!numbers[i].input->rated() || inputs_.within_rate(*numbers[i].input, numbers[i].numbers)) continue;
    written = Written::too_fast;
    if (refused != nullptr) *refused = i;
  }
  for (const InputNumbers& each : numbers)
    if (written == Written::taken) written = each.input->write(each.numbers);
  return written;
}

Written Tuning::post(std::span<const InputNumbers> numbers, std::size_t* refused) {
  const std::lock_guard guard(lock_);
  if (refused != nullptr) *refused = 0;
  if (closed_ || stopping_.load(std::memory_order_relaxed)) return Written::gone;
  const Written looked = look(numbers, refused);
  if (looked != Written::taken) return looked;
  if (!within_rates(numbers, refused)) return Written::too_fast;
  packed_.assign(sizeof(std::uintptr_t), std::byte{0});
  Inputs::pack(numbers, packed_);
  // requests of texts take 16 bytes each, and there is always room for them
  if (!ring_.try_push(packed_, most_waiting * 16)) return Written::no_room;
  for (const InputNumbers& each : numbers) Inputs::note_post(*each.input);
  return Written::taken;
}

/// With the lock held. A text that waits for the loop counts as moving it now.
bool Tuning::within_rates(std::span<const InputNumbers> numbers, std::size_t* refused) {
  gather();
  const std::int64_t now = now_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Input& input = *numbers[i].input;
    if (!input.rated() || inputs_.within_rate(input, numbers[i].numbers, now, text_waits(input))) continue;
    if (refused != nullptr) *refused = i;
    return false;
  }
  return true;
}

bool Tuning::try_numbers(std::span<const InputNumbers> numbers, Diagnostics& diagnostics) {
  if (look(numbers, nullptr) != Written::taken) return false;
  const auto asks = [this](const InputTarget& target) {
    const hilda_block_type& type = *runtime_.memory().layout(target.parameter.block).abi;
    return type.prepare != nullptr || type.configure != nullptr;
  };
  if (std::none_of(numbers.begin(), numbers.end(), [&](const InputNumbers& each) {
        return std::any_of(each.input->targets().begin(), each.input->targets().end(), asks);
      }))
    return true;
  const std::lock_guard guard(lock_);
  settle_numbers();
  const System& system = runtime_.system();
  ParameterChange change;
  for (const InputNumbers& each : numbers)
    for (const InputTarget& target : each.input->targets()) {
      if (!asks(target)) continue;
      Value value = system.blocks[target.parameter.block].parameters[target.parameter.index].value;
      value.numbers = std::vector<double>(each.numbers.begin(), each.numbers.end());
      change.blocks.push_back({target.parameter, std::move(value)});
    }
  return try_change(runtime_, change, diagnostics);
}

bool Tuning::stands_at(const std::string& path, std::span<const double> numbers) {
  const std::lock_guard guard(lock_);
  if (inputs_.find(path) != nullptr) return false;
  const System& system = runtime_.system();
  const std::optional<ParameterText> found = find_parameter(system, path);
  const std::optional<BlockParameter> which = found ? first_follower(system, *found) : std::nullopt;
  if (!which) return false;
  const Value& value = system.blocks[which->block].parameters[which->index].value;
  return std::ranges::equal(value.numbers, numbers, [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  });
}

/// What the first change after that replaced, or what it is.
std::vector<double> Tuning::numbers_at_begin(const Input& input) {
  const std::lock_guard guard(lock_);
  settle_numbers();
  const BlockParameter& which = input.targets().front().parameter;
  for (const Request& request : taken_) {
    if (request->taken() <= 0) continue;
    for (const auto& [parameter, before] : request->undo_.blocks)
      if (parameter == which) return before.value.numbers;
  }
  return runtime_.system().blocks[which.block].parameters[which.index].value.numbers;
}

std::string Tuning::write_recorded(std::span<const WrittenNumbers> inputs) {
  for (const WrittenNumbers& each : inputs) {
    Diagnostics diagnostics;
    const std::shared_ptr<Input> to = input(each.path, diagnostics);
    if (to == nullptr) return diagnostics.text();
    if (const Written looked = to->look(each.numbers); looked != Written::taken)
      return to->refusal(looked, each.numbers);
    inputs_.stage(*to, each.numbers);
  }
  return {};
}

std::string Tuning::write_recorded(std::string_view event) {
  const std::optional<std::vector<NumbersOfInput>> all = numbers_from_text(event);
  if (!all) return "the log's text for it is not a list of numbers of inputs";
  for (const NumbersOfInput& each : *all) {
    Diagnostics diagnostics;
    const std::shared_ptr<Input> to = input(each.path, diagnostics);
    if (to == nullptr) return diagnostics.text();
    if (!inputs_.stage(*to, each.first, each.words))
      return "the input " + in_quotes(each.path) + " does not take its " + std::to_string(each.words.size()) +
             " numbers from element " + std::to_string(each.first) + " on";
  }
  return {};
}

void Tuning::remember_numbers() {
  const std::lock_guard guard(lock_);
  inputs_.remember();
}

void Tuning::write_again(const InputPast::Entry& entry) {
  if (entry.input < inputs_.all().size()) inputs_.stage(*inputs_.all()[entry.input], 0, entry.words);
}

void Tuning::settle() {
  const std::lock_guard guard(lock_);
  settle_numbers();
}

/// With the lock held. What a waiting request will change is settled once it was taken.
void Tuning::settle_numbers() {
  gather();
  for (const std::shared_ptr<Input>& each : inputs_.all())
    if (Inputs::unsettled(*each) && !text_waits(*each)) settle(*each);
}

/// With the lock held: a request that will change it waits for the loop.
bool Tuning::text_waits(const Input& input) const {
  return std::any_of(waiting_.begin(), waiting_.end(), [&input](const Request& request) {
    return std::find(request->inputs_.begin(), request->inputs_.end(), &input) != request->inputs_.end();
  });
}

/// One entry stands for all that was written to an input since it was set by a text: nothing grows with the run.
void Tuning::settle(Input& input) {
  std::int64_t since = 0;
  const LiveSetting setting{input.path(), Inputs::text(input, since)};
  std::optional<ParameterText> text = find_parameter(runtime_.system(), setting.path);
  if (!text) return;
  text->given = {setting.path, setting.text, or_live({})};
  Diagnostics unheard; // it was looked at when the input was made
  const std::optional<ParameterChange> change = change_parameters(runtime_.system(), {*text}, unheard);
  if (!change) return;
  ParameterUndo undo = runtime_.adopt(*change);
  if (const std::shared_ptr<LiveRequest>& before = inputs_.settled_as(input); before != nullptr) {
    before->settings_ = {setting};
    return;
  }
  auto request = std::make_shared<LiveRequest>();
  request->settings_ = {setting};
  request->undo_ = std::move(undo);
  request->numbers_ = &input;
  request->taken_.store(since, std::memory_order_release);
  inputs_.settled_as(input) = request;
  insert(request);
}

void Tuning::close() {
  const std::lock_guard guard(lock_);
  closed_ = true;
  settle_numbers();
  inputs_.close();
  for (; !waiting_.empty(); waiting_.pop_back()) {
    runtime_.take_back(waiting_.back()->undo_);
    waiting_.back()->taken_.store(LiveRequest::dropped, std::memory_order_release);
  }
  std::span<const std::byte> frame;
  while (ring_.front(frame)) ring_.pop();
}

std::vector<TakenChange> Tuning::taken() {
  const std::lock_guard guard(lock_);
  settle_numbers();
  std::vector<TakenChange> all;
  for (const Request& request : taken_)
    all.push_back({request->taken(), request->settings(), request->numbers_ != nullptr});
  return all;
}

void Tuning::take_back_to(std::int64_t tick) {
  const std::lock_guard guard(lock_);
  settle_numbers();
  inputs_.past().cut(tick);
  std::set<BlockParameter> changed;
  while (taken_.size() > kept_ && taken_.back()->taken() >= tick) {
    runtime_.take_back(taken_.back()->undo_);
    if (const Input* const input = taken_.back()->numbers_; input != nullptr)
      inputs_.settled_as(*inputs_.all()[input->index()]) = nullptr;
    else
      --texts_;
    for (const auto& [parameter, before] : taken_.back()->undo_.blocks) changed.insert(parameter);
    taken_.pop_back();
  }
  if (!changed.empty())
    runtime_.change(
        make_patch(runtime_.system(), runtime_.memory(), std::vector<BlockParameter>(changed.begin(), changed.end())));
}

void Tuning::keep() {
  const std::lock_guard guard(lock_);
  settle_numbers();
  inputs_.past().clear();
  inputs_.forget_moves();
  kept_ = taken_.size();
}

std::size_t Tuning::kept() {
  const std::lock_guard guard(lock_);
  return kept_;
}

std::optional<std::string> Tuning::text_of(const std::string& path) {
  const std::lock_guard guard(lock_);
  settle_numbers();
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

} // namespace hilda::session

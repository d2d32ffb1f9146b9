// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/hub.h"

#include "tools/studio/detail/clients/foxglove_session.h"
#include "tools/studio/detail/clients/hilda_session.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace hilda::studio {

bool Hub::speaks(const std::string& protocol) {
  return protocol == HildaSession::protocol || FoxgloveSession::is_protocol(protocol);
}

Message Hub::lost_message(const std::string& protocol, std::uint64_t lost) {
  return protocol == HildaSession::protocol ? HildaSession::lost_message(lost) : FoxgloveSession::lost_message(lost);
}

std::shared_ptr<Session> Hub::connect(const std::string& protocol, Outbox& outbox) {
  std::shared_ptr<Session> session;
  if (protocol == HildaSession::protocol)
    session = std::make_shared<HildaSession>(*this, outbox);
  else if (FoxgloveSession::is_protocol(protocol))
    session = std::make_shared<FoxgloveSession>(*this, outbox);
  else
    return nullptr;
  const std::lock_guard guard(lock_);
  // while no one was there, no one looked
  if (watcher_ != nullptr && history_.size() > 0) watcher_->take(samples_of(history_[history_.size() - 1]));
  session->begin(signals_);
  session->told(facts_);
  session->told_state(state_now());
  for (const Json& message : messages_) session->told_message(message);
  sessions_.push_back(session);
  count_.store(sessions_.size(), std::memory_order_relaxed);
  return session;
}

void Hub::disconnect(const Session& session) {
  const std::lock_guard guard(lock_);
  std::erase_if(sessions_, [&session](const auto& each) { return each.get() == &session; });
  count_.store(sessions_.size(), std::memory_order_relaxed);
}

bool Hub::ask(const Session& session, Json request) {
  std::weak_ptr<Session> from;
  {
    const std::lock_guard guard(lock_);
    for (const auto& each : sessions_)
      if (each.get() == &session) from = each;
  }
  return requests_.put({std::move(from), std::move(request)});
}

Json Hub::state_now() const {
  Json state = state_;
  state["epoch"] = epoch_;
  return state;
}

void Hub::tell(DiagramFacts facts) {
  const std::lock_guard guard(lock_);
  facts_ = std::move(facts);
  messages_.clear();
  for (const auto& each : sessions_) each->told(facts_);
}

void Hub::tell_state(Json state) {
  const std::lock_guard guard(lock_);
  state_ = std::move(state);
  for (const auto& each : sessions_) each->told_state(state_now());
}

void Hub::tell_parameters(const std::vector<ParameterFact>& changed) {
  const std::lock_guard guard(lock_);
  for (const ParameterFact& each : changed)
    for (ParameterFact& known : facts_.parameters)
      if (known.path == each.path) known = each;
  for (const auto& each : sessions_) each->told_parameters(changed);
}

void Hub::tell_message(const Json& message) {
  const std::lock_guard guard(lock_);
  pass_on(message);
}

void Hub::pass_on(const Json& message) {
  std::erase_if(messages_, [&message](const Json& each) { return each.at("op") == message.at("op"); });
  messages_.push_back(message);
  for (const auto& each : sessions_) each->told_message(message);
}

void Hub::begin(const LogSchema& schema, const FrameLayout& layout) {
  const std::lock_guard guard(lock_);
  ++epoch_;
  lost_ = 0;
  const bool as_before = schema.channels == signals_.schema.channels && schema.period == signals_.schema.period;
  if (!as_before) history_.clear();
  signals_ = {
      {.period = schema.period, .channels = schema.channels, .metadata = {}, .aliases = schema.aliases, .files = {}},
      layout,
      message_channels(schema, layout),
      SignalNames(schema)};
  groups_.assign(layout.groups.size(), nullptr);
  for (const auto& each : sessions_) each->begin(signals_);
  if (watcher_ != nullptr) watcher_->begin(signals_);
}

void Hub::watch(FrameWatcher* watcher) {
  const std::lock_guard guard(lock_);
  watcher_ = watcher;
}

void Hub::frame(std::span<const std::byte> frame) noexcept {
  FrameHeader header;
  std::memcpy(&header, frame.data(), sizeof header);
  const std::lock_guard guard(lock_);
  try {
    if (std::exchange(lost_, header.lost) != header.lost)
      for (const auto& each : sessions_) each->lost(header.tick, header.lost);
    if (header.kind == FrameHeader::Kind::samples) {
      history_.add(header.tick, frame);
      if (sessions_.empty()) return;
      const TickSamples samples = samples_of(frame);
      if (watcher_ != nullptr) watcher_->take(samples);
      for (const auto& each : sessions_) each->take(signals_, samples);
      return;
    }
    const EventParts parts = event_parts(header, frame.subspan(sizeof header));
    for (const auto& each : sessions_) each->event(header.tick, parts);
  } catch (const std::exception&) {
    return; // without memory this frame is lost to those who watch; the log has it
  }
}

TickSamples Hub::samples_of(std::span<const std::byte> frame) {
  FrameHeader header;
  std::memcpy(&header, frame.data(), sizeof header);
  const std::byte* data = frame.data() + sizeof header;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const FrameGroup& group = signals_.layout.groups[g];
    groups_[g] = nullptr;
    if (!group.due(header.tick) || (header.observed == 0 && group.record_class == RecordClass::observed)) continue;
    groups_[g] = data;
    data += group.bytes;
  }
  return {header.tick, seconds_at(signals_.schema.period, header.tick), groups_};
}

void Hub::rewind(std::int64_t tick) {
  const std::lock_guard guard(lock_);
  history_.drop_from(tick);
  if (watcher_ != nullptr && history_.size() > 0) watcher_->take(samples_of(history_[history_.size() - 1]));
}

void Hub::look() {
  const std::lock_guard guard(lock_);
  if (const auto news = watcher_ != nullptr ? watcher_->news() : std::nullopt) pass_on(*news);
  for (const auto& each : sessions_) each->look();
}

void Hub::greet(Session& session) {
  const std::lock_guard guard(lock_);
  session.told(facts_);
  session.told_state(state_now());
}

std::vector<ParameterFact> Hub::parameters() const {
  const std::lock_guard guard(lock_);
  return facts_.parameters;
}

} // namespace hilda::studio

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/log_writer.h"

#include "engine/log/detail/format/channel_description.h"
#include "engine/log/event_message.h"
#include "engine/log/message_channels.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <exception>
#include <optional>
#include <pthread.h>
#include <set>
#include <stdexcept>

namespace hilda::log {
namespace {

constexpr int frames_a_turn = 4096;
constexpr std::chrono::milliseconds idle{1};

} // namespace

std::uint64_t LogWriter::expected_bytes(const LogSchema& schema, std::int64_t ticks) {
  double bytes = 0;
  for (const FrameGroup& group : frame_layout(schema).groups) {
    if (group.conditional) continue; // no one knows how often it is true
    const std::size_t message = mcap::Writer::size_of_message(message_prefix + group.message_bytes);
    bytes += static_cast<double>(message) * std::ceil(static_cast<double>(ticks) / static_cast<double>(group.divider));
  }
  return bytes < 1e18 ? static_cast<std::uint64_t>(bytes) : std::uint64_t{1'000'000'000'000'000'000};
}

LogWriter::LogWriter(const LogSchema& schema, const LogOptions& options, FrameLayout layout, std::size_t largest)
    : period_(schema.period), options_(options), layout_(std::move(layout)),
      event_channel_(static_cast<std::uint16_t>(layout_.groups.size() + 1)),
      lost_channel_(static_cast<std::uint16_t>(layout_.groups.size() + 2)),
      ring_(std::max(options.ring_bytes, 64 * largest), options.ring) {
  error_.reserve(error_room);
}

template <class Step> void LogWriter::attempt(const Step& step) noexcept {
  if (failed()) return;
  try {
    step();
    if (!file_.failed()) return;
    error_ = file_.error();
  } catch (const std::bad_alloc&) {
    ends_for("there is no more memory\nhelp: allow the program more");
  } catch (const std::exception& problem) { ends_for(problem.what()); }
  failed_.store(true, std::memory_order_release);
}

/// Within the room that error_ was given at first, since there may be no other.
void LogWriter::ends_for(const char* reason) noexcept {
  error_.assign("the log ends here: ");
  error_.append(reason, strnlen(reason, error_room - error_.size()));
}

LogWriter::~LogWriter() {
  if (!thread_.joinable()) return;
  stop_.store(true, std::memory_order_release);
  thread_.join();
  if (!keeps_) return;
  attempt([this] { file_.flush(); });
  file_.drop_if_empty();
}

std::unique_ptr<LogWriter> LogWriter::create(const std::string& path, const LogSchema& schema,
                                             const LogOptions& options, std::string& error) {
  error = schema_fault(schema);
  if (!error.empty()) return nullptr;
  OutputFiles files;
  auto file = files.open(path, OutputKind::log, FileContent::log);
  if (!file) {
    error = files.error();
    return nullptr;
  }
  return create(std::move(file), schema, options, error);
}

std::unique_ptr<LogWriter> LogWriter::create(std::unique_ptr<OutputFile> file, const LogSchema& schema,
                                             const LogOptions& options, std::string& error) {
  error = schema_fault(schema);
  if (!error.empty()) return nullptr;
  FrameLayout layout = frame_layout(schema);
  const std::size_t largest = layout.largest;
  std::unique_ptr<LogWriter> log(new LogWriter(schema, options, std::move(layout), largest));
  if (!log->begin_file(std::move(file), schema, error)) return nullptr;
  log->begin_thread();
  return log;
}

std::unique_ptr<LogWriter> LogWriter::create(std::unique_ptr<OutputFile> file, const LogSchema& schema,
                                             const TappedSignals& tapped, const LogOptions& options,
                                             std::string& error) {
  error = schema_fault(schema);
  if (error.empty()) error = schema_fault(tapped.schema);
  if (!error.empty()) return nullptr;
  const FrameLayout all = frame_layout(tapped.schema);
  std::unique_ptr<LogWriter> log(new LogWriter(schema, options, frame_layout(schema), all.largest));
  if (file != nullptr) {
    log->selection_.emplace(tapped.schema, tapped.sources, schema);
    error = log->selection_->fault();
    if (!error.empty() || !log->begin_file(std::move(file), schema, error)) return nullptr;
  }
  if (options.tap != nullptr) options.tap->begin(tapped.schema, all);
  log->begin_thread();
  return log;
}

bool LogWriter::begin_file(std::unique_ptr<OutputFile> file, const LogSchema& schema, std::string& error) {
  keeps_ = true;
  file_.packed(options_.packed);
  if (file_.open(std::move(file), "hilda")) write_head(schema);
  error = file_.error();
  if (!error.empty()) file_.drop_if_empty();
  return error.empty();
}

void LogWriter::begin_thread() {
  thread_ = std::thread([this] { work(); });
}

void LogWriter::write_head(const LogSchema& schema) {
  file_.metadata(log_record, {{"format", "2"},
                              {"period", std::to_string(schema.period.numerator()) + "/" +
                                             std::to_string(schema.period.denominator())},
                              {"aliases", text_map_to_json(schema.aliases)}});
  file_.metadata(run_record, schema.metadata);
  for (const LogFile& part : schema.files) file_.attachment(part.name, part.media_type, part.text);
  write_channels(schema);
}

void LogWriter::write_channels(const LogSchema& schema) {
  const MessageChannels all = message_channels(schema, layout_);
  std::size_t types = 0;
  std::uint16_t id = 0;
  for (const MessageChannel& channel : all.channels) {
    if (channel.type == types) {
      const Ros2Type& type = all.types[types++];
      file_.schema(static_cast<std::uint16_t>(types), type.name, "ros2msg", type.text);
    }
    std::map<std::string, std::string> metadata;
    if (!channel.description.empty()) metadata[channel_key] = channel.description;
    file_.channel(++id, static_cast<std::uint16_t>(channel.type + 1), channel.topic, "cdr", metadata);
  }
}

void LogWriter::work() {
  // signals are for the threads that know what to do about them
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);

  auto flushed = std::chrono::steady_clock::now();
  while (true) {
    const bool last_turn = stop_.load(std::memory_order_acquire);
    const bool drained = drain();
    const auto now = std::chrono::steady_clock::now();
    if (file_.chunk_bytes() == 0) flushed = now;
    if (now - flushed >= options_.flush_every) {
      attempt([this] { file_.flush(); });
      flushed = now;
    }
    if (drained) continue;
    if (last_turn) return;
    std::this_thread::sleep_for(idle);
  }
}

/// Some frames; false where there were none.
bool LogWriter::drain() {
  std::span<const std::byte> frame;
  for (int i = 0; i < frames_a_turn; ++i) {
    if (!ring_.front(frame)) return i > 0;
    if (options_.tap != nullptr) options_.tap->frame(frame);
    if (keeps_)
      attempt([this, frame] {
        write_frame(selection_ ? (*selection_)(frame) : frame);
        if (file_.chunk_bytes() >= options_.chunk_bytes) file_.flush();
      });
    ring_.pop();
  }
  return true;
}

std::byte* LogWriter::message(std::uint16_t channel, std::int64_t tick, std::size_t bytes) {
  if (tick != time_of_) {
    const std::optional<std::uint64_t> time = log_time_at(period_, tick);
    if (!time) {
      file_.flush(); // what came before stays
      throw std::out_of_range(std::string("its times are ") + log_time_range +
                              "\nhelp: run for less than 1.8e10 s, or measure time in a larger unit");
    }
    time_of_ = tick;
    time_ = *time;
  }
  return begin_message(file_.message(channel, time_, message_prefix + bytes), tick);
}

void LogWriter::write_frame(std::span<const std::byte> frame) {
  FrameHeader header;
  std::memcpy(&header, frame.data(), sizeof header);
  const std::byte* data = frame.data() + sizeof header;
  if (header.lost != lost_) {
    lost_ = header.lost;
    std::memcpy(message(lost_channel_, header.tick, sizeof lost_), &lost_, sizeof lost_);
  }
  if (header.kind != FrameHeader::Kind::samples) {
    const EventParts parts = event_parts(header, frame.subspan(sizeof header));
    return put_event(parts, message(event_channel_, header.tick, event_bytes(parts)));
  }
  for (const FrameGroup& group : layout_.groups) {
    if (!group.due(header.tick) || (header.observed == 0 && group.record_class == RecordClass::observed)) continue;
    if (group.conditional) {
      std::uint64_t present = 0;
      std::memcpy(&present, data, sizeof present);
      data += FrameLayout::presence;
      if (present == 0) continue;
    }
    const auto id = static_cast<std::uint16_t>(&group - layout_.groups.data() + 1);
    std::memcpy(message(id, header.tick, group.message_bytes), data, group.message_bytes);
    data += group.bytes;
  }
}

bool LogWriter::close(const std::map<std::string, std::string>& end) {
  if (thread_.joinable()) {
    stop_.store(true, std::memory_order_release);
    thread_.join();
    if (!keeps_) return true;
    std::map<std::string, std::string> last = end;
    last.emplace("lost_ticks", std::to_string(lost_));
    attempt([this, &last] {
      file_.metadata(end_record, last);
      file_.close();
    });
  }
  return !failed();
}

} // namespace hilda::log

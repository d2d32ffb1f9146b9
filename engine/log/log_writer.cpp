#include "engine/log/log_writer.h"

#include "engine/log/format/channel_description.h"
#include "engine/log/format/ros2_message.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <exception>
#include <pthread.h>
#include <set>

namespace hilda {
namespace {

constexpr int frames_a_turn = 4096;
constexpr std::chrono::milliseconds idle{1};

/// Numbers the message types; channels with equal types share one, different types of one name get numbers.
class SchemaTable {
public:
  explicit SchemaTable(mcap::Writer& file) : file_(file) {}

  std::uint16_t id_of(Ros2Type type) {
    const auto known = ids_.find({type.name, type.text});
    if (known != ids_.end()) return known->second;
    const auto id = static_cast<std::uint16_t>(ids_.size() + 1);
    ids_.emplace(std::pair(type.name, type.text), id);
    std::string unique = type.name;
    for (int number = 2; !names_.insert(unique).second; ++number) unique = type.name + std::to_string(number);
    file_.schema(id, unique, "ros2msg", type.text);
    return id;
  }

private:
  mcap::Writer& file_;
  std::map<std::pair<std::string, std::string>, std::uint16_t> ids_;
  std::set<std::string> names_;
};

/// Viewers want one type a topic. It follows from the group alone, so that a layout made for one log fits the next.
std::string topic_of(const FrameGroup& group, const std::string& when) {
  std::string topic = group.subsystem.empty() ? outermost_topic : ros2_topic(group.subsystem);
  if (group.record_class == RecordClass::acquired) topic += "/acquired";
  if (group.divider > 1) topic += "/every_" + std::to_string(group.divider);
  return when.empty() ? topic : topic + "/when" + ros2_topic(when);
}

} // namespace

std::uint64_t LogWriter::expected_bytes(const LogSchema& schema, std::int64_t ticks) {
  double bytes = 0;
  for (const FrameGroup& group : frame_layout(schema).groups) {
    if (group.conditional) continue; // nobody knows how often it is true
    const std::size_t message = mcap::Writer::size_of_message(message_prefix + group.message_bytes);
    bytes += static_cast<double>(message) * std::ceil(static_cast<double>(ticks) / static_cast<double>(group.divider));
  }
  return bytes < 1e18 ? static_cast<std::uint64_t>(bytes) : std::uint64_t{1'000'000'000'000'000'000};
}

LogWriter::LogWriter(const LogSchema& schema, const LogOptions& options, FrameLayout layout)
    : period_(schema.period), options_(options), layout_(std::move(layout)),
      event_channel_(static_cast<std::uint16_t>(layout_.groups.size() + 1)),
      lost_channel_(static_cast<std::uint16_t>(layout_.groups.size() + 2)),
      ring_(std::max(options.ring_bytes, 64 * layout_.largest), options.ring) {
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
  attempt([this] { file_.flush(); });
  file_.drop_if_empty();
}

std::unique_ptr<LogWriter> LogWriter::create(const std::string& path, const LogSchema& schema,
                                             const LogOptions& options, std::string& error) {
  error = schema_fault(schema);
  if (!error.empty()) return nullptr;
  OutputFiles files;
  auto file = files.open(path, OutputKind::log);
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
  std::unique_ptr<LogWriter> log(new LogWriter(schema, options, frame_layout(schema)));
  log->file_.packed(options.packed);
  if (log->file_.open(std::move(file), "hilda")) log->write_head(schema);
  error = log->file_.error();
  if (!error.empty()) {
    log->file_.drop_if_empty();
    return nullptr;
  }
  log->thread_ = std::thread([writer = log.get()] { writer->work(); });
  return log;
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
  SchemaTable schemas(file_);
  std::uint16_t id = 0;
  std::set<std::string> topics{event_topic, lost_topic};
  for (const FrameGroup& group : layout_.groups) {
    std::vector<LogChannel> channels;
    std::vector<NumberedChannel> numbered;
    for (const FrameGroup::Sample& sample : group.samples) {
      channels.push_back(schema.channels[sample.channel]);
      numbered.push_back({channels.back(), static_cast<std::int64_t>(sample.channel)});
    }
    std::string topic = topic_of(group, channels.front().when);
    for (int number = 2; !topics.insert(topic).second; ++number)
      topic = topic_of(group, channels.front().when) + "_" + std::to_string(number);
    file_.channel(++id, schemas.id_of(ros2_type(channels)), topic, "cdr", {{channel_key, describe_channels(numbered)}});
  }
  file_.channel(event_channel_, schemas.id_of(ros2_event_type()), event_topic, "cdr", {});
  file_.channel(lost_channel_, schemas.id_of(ros2_lost_type()), lost_topic, "cdr", {});
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
    attempt([this, frame] {
      write_frame(frame);
      if (file_.chunk_bytes() >= options_.chunk_bytes) file_.flush();
    });
    ring_.pop();
  }
  return true;
}

std::byte* LogWriter::message(std::uint16_t channel, std::int64_t tick, std::size_t bytes) {
  constexpr std::array<std::uint8_t, cdr_head> plain_little_endian{0, 1, 0, 0};
  if (tick != time_of_) {
    time_of_ = tick;
    time_ = static_cast<std::uint64_t>(nanoseconds_at(period_, tick));
  }
  std::byte* const target = file_.message(channel, time_, message_prefix + bytes);
  std::memcpy(target, plain_little_endian.data(), cdr_head);
  std::memcpy(target + cdr_head, &tick, sizeof tick);
  return target + message_prefix;
}

void LogWriter::write_frame(std::span<const std::byte> frame) {
  FrameHeader header;
  std::memcpy(&header, frame.data(), sizeof header);
  const std::byte* data = frame.data() + sizeof header;
  if (header.lost != lost_) {
    lost_ = header.lost;
    std::memcpy(message(lost_channel_, header.tick, sizeof lost_), &lost_, sizeof lost_);
  }
  if (header.kind == FrameHeader::Kind::event) return write_event(header, frame.subspan(sizeof header));
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

/// A CDR string is its length with the closing zero, the bytes, the zero; lengths are aligned to 4.
void LogWriter::write_event(const FrameHeader& header, std::span<const std::byte> texts) {
  std::uint32_t sizes[2];
  std::memcpy(sizes, texts.data(), sizeof sizes);
  const std::byte* source = texts.data() + sizeof sizes;
  const std::size_t second = (4 + sizes[0] + 1 + 3) / 4 * 4;
  const std::size_t bytes = second + 4 + sizes[1] + 1;
  std::byte* const target = message(event_channel_, header.tick, bytes);
  std::memset(target, 0, bytes);
  const auto put = [&source](std::byte* place, std::uint32_t size) {
    const std::uint32_t with_zero = size + 1;
    std::memcpy(place, &with_zero, sizeof with_zero);
    std::memcpy(place + sizeof with_zero, source, size);
    source += size;
  };
  put(target, sizes[0]);
  put(target + second, sizes[1]);
}

bool LogWriter::close(const std::map<std::string, std::string>& end) {
  if (thread_.joinable()) {
    stop_.store(true, std::memory_order_release);
    thread_.join();
    std::map<std::string, std::string> last = end;
    last.emplace("lost_ticks", std::to_string(lost_));
    attempt([this, &last] {
      file_.metadata(end_record, last);
      file_.close();
    });
  }
  return !failed();
}

} // namespace hilda

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/log_recovery.h"

#include "engine/log/detail/format/ros2_message.h"
#include "engine/log/detail/mcap/lz4_frame.h"
#include "engine/log/detail/mcap/mcap_writer.h"
#include "engine/log/detail/writing/log_salvage.h"
#include "engine/log/log_format.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

namespace hilda::log {
namespace {

using namespace mcap;

constexpr std::size_t window_bytes = std::size_t{1} << 20U;

class Recoverer {
public:
  Recoverer(PiecewiseFile& file, mcap::Writer& writer, Recovery& recovery)
      : file_(file), summary_(read_summary(file.descriptor(), file.size())), salvage_(file, recovery), writer_(writer),
        recovery_(recovery) {}

  bool run(std::string& error) {
    sound_ = summary_.state == Summary::State::sound;
    known_ = sound_ && std::any_of(summary_.places.begin(), summary_.places.end(),
                                   [](const RecordPlace& place) { return place.opcode == Opcode::chunk; });
    salvage_.remarks_wanted(false);
    if (sound_) take_summary();
    if (known_)
      for (const RecordPlace& place : summary_.places) describe(place);
    else
      describe_by_walk();
    salvage_.remarks_wanted(true);
    if (!log_found_) {
      error = "nothing can be had: it holds nothing that says how a log of hilda is to be read";
      return false;
    }
    if (known_)
      for (const RecordPlace& place : summary_.places) copy(place);
    else
      salvage_.walk([this](const RecordPlace& place) { copy(place); });
    if (!known_ && salvage_.cut_chunk()) copy_cut(*salvage_.cut_chunk());
    recovery_.cut = !end_found_;
    look_for_the_rest();
    return true;
  }
  bool ended() const { return end_found_; }

private:
  /// What a sound summary says of the channels counts; where the data say otherwise, they are damaged.
  void take_summary() {
    std::set<std::vector<std::byte>> copies;
    salvage_.walk([&](const RecordPlace& place) {
      if (place.opcode != Opcode::channel || place.offset > summary_.start) return;
      const auto content = file_.at(place.offset, place.bytes);
      copies.emplace(content.begin(), content.end());
    });
    for (const auto& content : summary_.schemas) take_schema(content);
    for (const auto& content : summary_.channels) {
      take_channel(content);
      if (copies.contains(content)) continue;
      explained_ = true;
      recovery_.remarks.push_back("the description of the channel " + topic_of(content) +
                                  " is damaged; its copy in the log's summary is taken");
    }
  }

  void describe_by_walk() {
    salvage_.walk([this](const RecordPlace& place) {
      if (place.opcode == Opcode::data_end && data_end_ == 0) data_end_ = place.offset - record_head;
      describe(place);
    });
    if (sound_) return;
    describe_by_end();
    if (summary_.state == Summary::State::damaged)
      recovery_.remarks.push_back("the log's summary is damaged; it is rebuilt");
  }

  void describe(const RecordPlace& place) {
    const bool wanted = place.opcode == Opcode::schema || place.opcode == Opcode::channel ||
                        place.opcode == Opcode::metadata || place.opcode == Opcode::attachment;
    if (!wanted) return;
    const auto content = file_.at(place.offset, place.bytes);
    if (content.size() != place.bytes) return;
    switch (place.opcode) {
    case Opcode::schema: return sound_ ? void() : take_schema(content);
    case Opcode::channel: return sound_ ? void() : take_channel(content);
    case Opcode::metadata: return take_metadata(content);
    default: return copy_attachment(content);
    }
  }

  void take_schema(std::span<const std::byte> content) {
    RecordView view(content);
    const auto id = view.number<std::uint16_t>();
    const std::string name(view.text()), encoding(view.text()), text(view.text());
    if (view.ok() && schemas_.insert(id).second) writer_.schema(id, name, encoding, text);
  }

  void take_channel(std::span<const std::byte> content) {
    RecordView view(content);
    const auto id = view.number<std::uint16_t>(), schema = view.number<std::uint16_t>();
    const std::string topic(view.text()), encoding(view.text());
    const TextMap metadata = view.map();
    if (view.ok() && channels_.insert(id).second) writer_.channel(id, schema, topic, encoding, metadata);
  }

  static std::string topic_of(std::span<const std::byte> content) {
    RecordView view(content);
    view.raw(2 * sizeof(std::uint16_t));
    return std::string(view.text());
  }

  void take_metadata(std::span<const std::byte> content) {
    RecordView view(content);
    const std::string name(view.text());
    const TextMap metadata = view.map();
    if (!view.ok()) return;
    log_found_ = log_found_ || name == log_record;
    end_found_ = end_found_ || name == end_record;
    if (const auto period = metadata.find("period"); name == log_record && period != metadata.end())
      period_ = period_from(period->second);
    writer_.metadata(name, metadata);
  }

  void copy_attachment(std::span<const std::byte> content) {
    RecordView view(content);
    view.raw(2 * sizeof(std::uint64_t));
    const std::string name(view.text()), media_type(view.text());
    const auto data = view.raw(view.number<std::uint64_t>());
    const std::size_t covered = content.size() - view.left();
    const auto crc = view.number<std::uint32_t>();
    if (view.ok() && (crc == 0 || crc == crc32(content.first(covered))))
      return writer_.attachment(name, media_type, {reinterpret_cast<const char*>(data.data()), data.size()});
    recovery_.remarks.push_back("the file \"" + name + "\" inside the log is damaged and left out");
    recovery_.bytes_left_out += content.size();
  }

  /// Where the beginning is damaged, even a damaged summary may still have the channels.
  void describe_by_end() {
    const std::uint64_t from = file_.size() - std::min<std::uint64_t>(file_.size(), footer_bytes + magic.size());
    const auto footer = file_.at(from, footer_bytes);
    if (footer.size() < footer_bytes || footer[0] != static_cast<std::byte>(Opcode::footer)) return;
    RecordView view(footer.subspan(record_head));
    std::uint64_t at = view.number<std::uint64_t>();
    while (at + record_head < from) {
      RecordView head(file_.at(at, record_head));
      const auto opcode = static_cast<Opcode>(head.number<std::uint8_t>());
      const auto bytes = head.number<std::uint64_t>();
      at += record_head;
      if (!head.ok() || bytes > from - at) return;
      if (opcode == Opcode::schema || opcode == Opcode::channel) describe({at, bytes, opcode});
      at += bytes;
    }
  }

  void copy(const RecordPlace& head) {
    if (head.opcode != Opcode::chunk && head.opcode != Opcode::message) return;
    const auto content = file_.at(head.offset, head.bytes);
    if (content.size() != head.bytes) return salvage_.left_out(head.offset, head.bytes);
    if (head.opcode == Opcode::message) return put(content);
    const std::optional<ChunkHead> chunk = chunk_head(content);
    bool right = chunk && chunk->stored == content.size() - chunk->bytes();
    std::span<const std::byte> records;
    if (right) {
      records = content.subspan(chunk->bytes());
      right = !chunk->packed || unpack_lz4(records, chunk->size, unpacked_);
      if (chunk->packed) records = unpacked_;
      right = right && (chunk->crc == 0 || chunk->crc == crc32(records));
    }
    right ? copy_records(records) : salvage_.left_out(head.offset, head.bytes);
  }

  /// The bytes that were written before the cut are right.
  void copy_cut(std::uint64_t at) {
    const auto chunk = chunk_head(file_.at(at + record_head, packed_head));
    const std::uint64_t from = at + record_head + (chunk ? chunk->bytes() : 0);
    if (!chunk || from >= file_.size()) return;
    const auto records = file_.at(from, std::min(file_.size() - from, largest_record));
    if (chunk->packed) unpack_lz4(records, chunk->size, unpacked_);
    copy_records(chunk->packed ? unpacked_ : records);
  }

  void copy_records(std::span<const std::byte> records) {
    RecordView view(records);
    while (!view.empty()) {
      const auto opcode = static_cast<Opcode>(view.number<std::uint8_t>());
      const auto content = view.raw(view.number<std::uint64_t>());
      if (!view.ok()) return;
      if (opcode == Opcode::message) put(content);
    }
  }

  /// A damaged record that looks like a message has another time than its tick's.
  bool in_time(std::span<const std::byte> data, std::uint64_t time) const {
    std::int64_t tick = 0;
    if (data.size() < message_prefix) return false;
    std::memcpy(&tick, data.data() + cdr_head, sizeof tick);
    return !period_ || is_time_of(*period_, tick, time);
  }

  /// The checksum of all data also covers what has none itself: the run's parameters, the kinds of records.
  void look_for_the_rest() {
    if (sound_) data_end_ = summary_.start - data_end_bytes;
    if (explained_ || !recovery_.whole() || data_end_ == 0) return;
    RunningChecksum sum;
    const std::uint32_t said = data_checksum(file_.descriptor(), data_end_);
    if (said == 0 || (sum.up_to(file_.descriptor(), data_end_) && sum.value() == said)) return;
    recovery_.doubtful = true;
    recovery_.remarks.push_back("the log's checksum is wrong: something other than its samples is damaged, and it is "
                                "unknown what; it is in the new log as it is");
  }

  void put(std::span<const std::byte> content) {
    RecordView view(content);
    const auto channel = view.number<std::uint16_t>();
    view.number<std::uint32_t>();
    const auto time = view.number<std::uint64_t>();
    view.number<std::uint64_t>();
    if (!view.ok() || !channels_.contains(channel)) return;
    const auto data = view.raw(view.left());
    if (!in_time(data, time)) return void(++recovery_.strange);
    std::memcpy(writer_.message(channel, time, data.size()), data.data(), data.size());
    ++recovery_.messages;
    if (writer_.chunk_bytes() >= window_bytes) writer_.flush();
  }

  PiecewiseFile& file_;
  const Summary summary_;
  Salvage salvage_;
  mcap::Writer& writer_;
  Recovery& recovery_;
  std::set<std::uint16_t> schemas_, channels_;
  std::vector<std::byte> unpacked_;
  std::optional<Rational> period_;
  bool log_found_ = false, end_found_ = false;
  bool sound_ = false;     ///< the log's summary
  bool known_ = false;     ///< by that, where everything is
  bool explained_ = false; ///< that the checksum of all data is wrong
  std::uint64_t data_end_ = 0;
};

} // namespace

bool recover_log(const std::string& path, std::unique_ptr<OutputFile> target, Recovery& recovery, std::string& error) {
  PiecewiseFile file(path);
  if (!file.fault().empty()) {
    error = path + ": " + file.fault();
    return false;
  }
  mcap::Writer writer;
  bool found = false;
  if (writer.open(std::move(target), "hilda")) {
    Recoverer recoverer(file, writer, recovery);
    found = recoverer.run(error);
    if (found && !recoverer.ended()) writer.metadata(end_record, {{"reason", "unknown: the log was cut"}});
    if (found) writer.metadata("hilda.recovered", {{"from", path}});
  }
  if (found && writer.close()) return true;
  if (found || writer.failed())
    error = writer.error();
  else
    error = path + ": " + error;
  recovery.unwritable = writer.failed();
  if (!writer.failed()) writer.drop();
  return false;
}

} // namespace hilda::log

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/detail/mcap/mcap_reader.h"
#include "engine/log/event_message.h"
#include "engine/log/frame_layout.h"
#include "engine/log/log_format.h"
#include "engine/log/signal_names.h"
#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace hilda::log {

/// When a channel was sampled.
struct TimeAxis {
  std::vector<std::int64_t> ticks;
  std::vector<double> seconds;
};

/// A recorded signal, or a part of one, over the whole run.
struct Signal {
  std::string name; ///< as asked for
  LogField field;   ///< its own shape: of a part, `rows` is the number of elements and `kind` is empty
  std::shared_ptr<const TimeAxis> axis; ///< one for all signals of a channel
  /// Sample by sample, field.elements() each, in the type in which they were recorded.
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<std::uint8_t>>
      values;

  std::size_t samples() const { return axis->ticks.size(); }
  const std::vector<std::int64_t>& ticks() const { return axis->ticks; }
  const std::vector<double>& times() const { return axis->seconds; } ///< s
  /// One element as a double, whatever its type.
  double value(std::size_t sample, std::size_t element = 0) const;
  /// One element over all samples.
  std::vector<double> column(std::size_t element = 0) const;
};

struct LogEvent {
  std::int64_t tick = 0;
  std::string kind, text;
  std::vector<WrittenNumbers> inputs = {}; ///< of numbers_kind; earlier logs have them in the text
};

/// A log opened for reading. It may be cut or damaged: the whole parts are given, `problems` names the missing ones.
class Log {
public:
  /// None where there is nothing to read; `error` says why. Where there is no such file, but PATH.part, that is read.
  static std::optional<Log> open(const std::string& path, std::string& error);

  /// Channels, period, metadata, aliases and files as they were recorded.
  const LogSchema& schema() const { return schema_; }
  /// What was known at the end only; empty where the log is cut.
  const std::map<std::string, std::string>& end() const { return end_; }
  bool complete() const { return reader_.complete(); }
  /// Is something that was recorded left out, beyond what a crash cut off? More may be found while samples are read.
  bool damaged() const {
    return reader_.damaged() || !problems_.empty() || short_samples_ > 0 || strange_ > 0 || broken_events_ > 0;
  }
  /// Looks at every byte of the file that has not been read, so that `damaged` is final; then starts over.
  void verify();
  /// The file that is read.
  const std::string& path() const { return reader_.path(); }
  /// In words; more may be found while samples are read.
  std::vector<std::string> problems() const;

  /// "rig.sensor.wrench" of every field, in the log's order.
  const std::vector<std::string>& signal_names() const { return names_.all(); }
  /// A signal or a part of one, also by alias: "rig.sensor.wrench", "rig.wrench.force.x", "plant.state[2]".
  std::optional<SignalPlace> find(const std::string& name) const { return names_.find(schema_, name); }
  /// What a user's word stands for: a signal or a part, or all signals under a path ("rig.sensor", "rig").
  std::vector<std::string> matching(const std::string& word) const;
  /// What to tell who asked for a signal that is not there.
  std::string missing(const std::string& name) const;

  /// Reads signals in one pass over the file; none, and `error` with the nearest name, where one is not there.
  std::optional<std::vector<Signal>> signals(const std::vector<std::string>& names, std::string& error);
  std::optional<Signal> signal(const std::string& name, std::string& error);
  std::vector<LogEvent> events();
  /// Ticks whose observed signals were dropped while recording.
  std::uint64_t lost_ticks();

  /// A sample as it was recorded; `data` is laid out by `sample_layout` and valid until the next is asked for.
  struct Sample {
    std::size_t channel = 0; ///< index into schema().channels
    std::int64_t tick = 0;
    std::span<const std::byte> data;
  };
  /// The next sample in the order of recording, or false at the end; for exports and replay, which need not hold
  /// the whole log in memory.
  bool next(Sample& sample);
  void rewind();
  /// Also gives data that a checksum shows to be damaged; `problems` still names it.
  void keep_damaged() { reader_.keep_damaged(); }

private:
  struct Description;
  explicit Log(mcap::Reader reader) : reader_(std::move(reader)) {}
  bool read_head(std::string& error);
  void read_channels();
  void add_channels(std::vector<Description>& descriptions);
  bool next_of(std::uint16_t channel_id, mcap::MessageView& message);
  bool in_time(const mcap::MessageView& message) const;

  mcap::Reader reader_;
  LogSchema schema_;
  std::map<std::string, std::string> end_;
  SignalNames names_;
  /// A channel's sample within a message.
  struct Part {
    std::size_t channel = 0; ///< index into schema().channels
    std::size_t offset = 0, bytes = 0;
  };
  std::vector<std::vector<Part>> parts_; ///< by the file's channel id; none for the log's own
  mcap::MessageView message_;            ///< its parts from next_part_ on are still to be given
  std::size_t next_part_ = 0, parts_of_message_ = 0;
  int event_channel_ = -1, lost_channel_ = -1;
  std::vector<std::string> problems_;
  std::size_t short_samples_ = 0, strange_ = 0; ///< left out in the pass that left out most
  std::size_t short_now_ = 0, strange_now_ = 0; ///< in this one
  std::size_t broken_events_ = 0;
};

} // namespace hilda::log

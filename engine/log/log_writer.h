// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/detail/mcap/mcap_writer.h"
#include "engine/log/detail/writing/frame_selection.h"
#include "engine/log/frame_layout.h"
#include "engine/log/frame_ring.h"
#include "engine/log/frame_tap.h"
#include "engine/log/log_format.h"
#include "engine/modules.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace hilda::log {

struct LogOptions {
  std::size_t ring_bytes = std::size_t{16} << 20;  ///< made larger where 64 ticks do not fit
  std::size_t chunk_bytes = std::size_t{1} << 20;  ///< a chunk is written out when it is this large
  std::chrono::milliseconds flush_every{500};      ///< or this old
  FrameRing::Pages ring = FrameRing::Pages::taken; ///< taken later: faster to begin with, not for hardware
  bool packed = true;                              ///< are chunks compressed?
  FrameTap* tap = nullptr;                         ///< sees every frame of `tapped`; null: no one does
};

/// What goes through the ring where someone watches: all there is, of which the file keeps its part.
struct TappedSignals {
  LogSchema schema;
  std::vector<RecordSource> sources;
};

/// Makes a log: a thread takes the loop's frames from the ring and writes them to an MCAP file.
///
/// A message is what the blocks of one subsystem made in a tick: CDR with ROS 2 schemas, so that Foxglove, Lichtblick
/// and PlotJuggler read them. What was flushed survives the death of the process. A disk that is full or gone ends the
/// file there with an error text; the ring is emptied nevertheless, so that the loop never waits for a disk. Until
/// `close` the file is NAME.part; without `close` it stays so, or goes where it holds no message.
class LogWriter {
public:
  /// Begins the file and writes all that is known before the first tick; null and `error` where it cannot.
  static std::unique_ptr<LogWriter> create(std::unique_ptr<OutputFile> file, const LogSchema& schema,
                                           const LogOptions& options, std::string& error);
  static std::unique_ptr<LogWriter> create(const std::string& path, const LogSchema& schema, const LogOptions& options,
                                           std::string& error);
  /// With someone who watches, `options.tap`: the ring takes all of `tapped`. No file: nothing is kept.
  static std::unique_ptr<LogWriter> create(std::unique_ptr<OutputFile> file, const LogSchema& schema,
                                           const TappedSignals& tapped, const LogOptions& options, std::string& error);
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// What a log of so many ticks takes at most: with all samples, no event, and before it is compressed.
  static std::uint64_t expected_bytes(const LogSchema& schema, std::int64_t ticks);
  /// How many times smaller a log gets at best; PIDA's gets 5 times smaller.
  static constexpr std::uint64_t most_packed = 20;

  /// For one Recorder.
  FrameRing& ring() { return ring_; }

  /// After the last `record`: writes the rest, the metadata that is known only now (the reason of the end, counts),
  /// and the summary. False where the log is not complete; `error` says why.
  bool close(const std::map<std::string, std::string>& end = {});

  /// Any thread: has writing failed?
  bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  /// After `failed` or `close`.
  const std::string& error() const { return error_; }
  /// After `close`.
  std::uint64_t messages() const { return file_.messages(); }
  std::uint64_t bytes() const { return file_.bytes(); }

private:
  LogWriter(const LogSchema& schema, const LogOptions& options, FrameLayout layout, std::size_t largest);
  bool begin_file(std::unique_ptr<OutputFile> file, const LogSchema& schema, std::string& error);
  void begin_thread();
  void write_head(const LogSchema& schema);
  void write_channels(const LogSchema& schema);
  void work();
  bool drain();
  void write_frame(std::span<const std::byte> frame);
  std::byte* message(std::uint16_t channel, std::int64_t tick, std::size_t bytes);
  /// A step of writing, unless an earlier one failed; what it throws, or the file's fault, is `error`.
  template <class Step> void attempt(const Step& step) noexcept;
  void ends_for(const char* reason) noexcept;

  static constexpr std::size_t error_room = 256;

  Rational period_;
  LogOptions options_;
  FrameLayout layout_;
  std::uint16_t event_channel_ = 0, lost_channel_ = 0;
  FrameRing ring_;
  std::optional<FrameSelection> selection_; ///< of the file's signals, where the ring has more
  bool keeps_ = false;                      ///< there is a file
  mcap::Writer file_;
  std::uint64_t lost_ = 0;
  std::int64_t time_of_ = -1; ///< tick of time_
  std::uint64_t time_ = 0;    ///< ns
  std::string error_;         ///< written once, before failed_ is set
  std::atomic<bool> failed_{false};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

} // namespace hilda::log

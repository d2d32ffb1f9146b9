// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/sources/playback.h"

#include <cmath>
#include <cstdio>
#include <hilda/block.h>
#include <hilda/flags.h>
#include <hilda/recordings.h>
#include <string>

namespace {
using namespace hilda;

constexpr const char* recorded_signal_doc =
    "Plays one signal of a recorded file: of an MCAP log of hilda, or of a MAT file (MATLAB) of version 5 or 7.3, with "
    "a vector of times in s. Its shape and its unit are those of the file. y = s_k + (s_k+1 - s_k) (T - t_k)/(t_k+1 - "
    "t_k), where T is the time since tick 0 plus start; before the first sample that one holds.";

struct RecordedSignal : Block {
  static constexpr std::uint32_t type_flags = HILDA_RAISES_NO_FLAGS; // its numbers come from a file

  Output<Matrix> y{*this, "y", "rows cols", "@y", "The signal", from_state};
  Parameter<Path> file{*this, "file", "MCAP log, or MAT file; its content says which"};
  Parameter<Text> signal{
      *this, "signal",
      "Path in the log, also of a part: rig.sensor.wrench.force; variable of the MAT file, with a dot "
      "before each field of a structure"};
  Parameter<Text> time{
      *this, "time", "Variable with the times in s, of a MAT file; empty: time or t, next to the signal or at the top",
      by_default("")};
  Parameter<Text> unit{*this, "unit", "Of the values, where the file does not say it", by_default("")};
  Parameter<double> begins{*this, "start", "s", "Time of the recording at which tick 0 is", by_default("0")};
  Parameter<Between> between{*this, "between", "What lies between two samples", by_default("linear")};
  Parameter<After> after{*this, "after", "What follows the last sample; stop ends the run", by_default("hold")};

  /// Shape and unit are in the file.
  bool infer_from_file(const Instance& self, const hilda_inference* says) {
    const Recording found(*this, self, true);
    if (!found) return false;
    says->dimension(says->engine, "rows", found->rows);
    says->dimension(says->engine, "cols", found->cols);
    if (says->size < sizeof(hilda_inference_with_units)) {
      self.report("file", "this program takes no units from files; rebuild it");
      return false;
    }
    reinterpret_cast<const hilda_inference_with_units*>(says)->unit(says->engine, "y", found->unit, "signal");
    return true;
  }
  void configure(const Instance& self) override {
    const Recording found(*this, self, false);
    if (!found) return;
    if (found->rows != (*y).rows() || found->cols != (*y).cols())
      return self.report("file", "it has changed while the diagram was loaded; load it again");
    times_ = PlaybackTimes({found->times, found->times + found->samples});
    width_ = static_cast<std::size_t>(found->rows) * static_cast<std::size_t>(found->cols);
    values_.assign(found->values, found->values + found->samples * width_);
    if (*after == After::repeat && times_.size() < 2)
      self.report("after", "one sample cannot repeat; choose hold, or play a longer recording");
    look_at_start(self);
  }
  void state_output(const Tick& t) override {
    auto out = *y;
    const auto place = times_.place(t, t.time() + *begins, *between, *after, "the recording is at its end");
    if (!place) {
      out.setZero();
      return;
    }
    const double* const from = values_.data() + place->sample * width_;
    // at a sample's own time it is played as it was recorded, to the last bit
    const double share = place->at_sample ? 0 : place->share;
    for (Eigen::Index i = 0; i < out.size(); ++i)
      out.data()[i] = share == 0 ? from[i] : from[i] + share * (from[i + ssize()] - from[i]);
  }

private:
  /// Where nothing of the recording would be played.
  void look_at_start(const Instance& self) const {
    const double first = times_.all().front(), last = times_.all().back();
    const auto in_s = [](double seconds) {
      char text[40];
      std::snprintf(text, sizeof text, "%.9g s", seconds);
      return std::string(text);
    };
    if (!std::isfinite(*begins))
      self.report("start", "is not finite; give the time of the recording at which tick 0 is");
    else if (*begins > last && *after != After::repeat)
      self.warn("start", "is " + in_s(*begins) + ", behind the end of the recording at " + in_s(last) +
                             ": nothing of it is played");
    else if (*begins >= 0 && first - *begins > 10 * (last - first) && times_.size() > 1)
      self.warn("start", "is " + in_s(*begins) + ", and the recording goes from " + in_s(first) + " to " + in_s(last) +
                             ": its first sample is held until then; start=\"" + in_s(first) + "\" begins with it");
  }

  /// What the program has read, for as long as it is looked at; false: it has reported why not.
  class Recording {
  public:
    Recording(const RecordedSignal& block, const Instance& self, bool head_only) {
      const void* const given = detail::host != nullptr && detail::host->extension != nullptr
                                    ? detail::host->extension(detail::host->engine, "hilda.recordings/1")
                                    : nullptr;
      table_ = static_cast<const hilda_recordings_1*>(given);
      if (table_ == nullptr) {
        self.report("file", "this program reads no recordings; take a newer one");
        return;
      }
      hilda_recording_request wanted{};
      wanted.size = sizeof wanted;
      wanted.head_only = head_only ? 1 : 0;
      wanted.file = *block.file;
      wanted.signal = *block.signal;
      wanted.time = *block.time;
      wanted.unit = *block.unit;
      wanted.context = const_cast<Instance*>(&self);
      wanted.refuse = [](void* to, const char* word, const char* text) {
        static_cast<const Instance*>(to)->report(word, text);
      };
      wanted.warn = [](void* to, const char* word, const char* text) {
        static_cast<const Instance*>(to)->warn(word, text);
      };
      recording_ = table_->read(&wanted);
    }
    ~Recording() {
      if (recording_ != nullptr) table_->release(recording_);
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    explicit operator bool() const { return recording_ != nullptr; }
    const hilda_recording* operator->() const { return recording_; }

  private:
    const hilda_recordings_1* table_ = nullptr;
    const hilda_recording* recording_ = nullptr;
  };

  Eigen::Index ssize() const { return static_cast<Eigen::Index>(width_); }

  PlaybackTimes times_;
  std::vector<double> values_; ///< sample by sample
  std::size_t width_ = 0;
};

/// Replaces the SDK's function, which reports shapes alone.
std::int32_t infer_recorded_signal(void* record, const hilda_instance* self, const hilda_inference* says) {
  bool told = false;
  const std::int32_t threw = detail::Thunks<RecordedSignal>::guarded(
      self, [&] { told = detail::Thunks<RecordedSignal>::self(record).infer_from_file(Instance(self), says); });
  return threw != 0 || !told ? 1 : 0;
}

hilda_block_type describe_recorded_signal(const char* name, const char* text, std::uint32_t flags) {
  hilda_block_type type = detail::describe<RecordedSignal>(name, text, flags);
  type.infer = &infer_recorded_signal;
  return type;
}

const detail::Registration recorded_signal_registration{
    "RecordedSignal", recorded_signal_doc, {&describe_recorded_signal}};
} // namespace

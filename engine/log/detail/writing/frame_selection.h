// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/frame_layout.h"
#include "engine/log/recorder.h"
#include "engine/modules.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hilda::log {

/// Makes frames of what a file keeps out of frames of all there is: signals, rates and conditions as `<log>` has them.
/// They are those that a Recorder of the kept signals would have made.
class FrameSelection {
public:
  /// Values from before the first frame are taken from the sources, of `all`: the loop must be paused.
  FrameSelection(const LogSchema& all, const std::vector<RecordSource>& sources, const LogSchema& kept);
  /// A kept signal that is not among all; empty: there is none.
  const std::string& fault() const { return fault_; }

  /// The frame as the file keeps it, valid until the next call.
  std::span<const std::byte> operator()(std::span<const std::byte> frame);

private:
  struct Copy {
    std::size_t from = 0, to = 0, bytes = 0; ///< places in `latest_`, and in a group
  };
  struct Kept {
    std::vector<Copy> copies = {};
    std::size_t flag = 0; ///< of a conditional group: its place in `latest_`
  };
  class Places;
  void find_copies(const LogSchema& kept, const Places& places);
  void take(const FrameHeader& header, const std::byte* data);
  std::byte* put(std::size_t group, std::byte* target);

  FrameLayout all_, kept_;
  std::vector<std::size_t> at_; ///< by group of all_: where its samples lie in `latest_`
  std::vector<Kept> wanted_;    ///< by group of kept_
  std::vector<std::byte> latest_, made_;
  std::string fault_;
};

} // namespace hilda::log

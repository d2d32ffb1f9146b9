// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/recordings_ability.h"

#include "engine/log/recording.h"

#include <exception>
#include <memory>
#include <new>

namespace hilda::log {
namespace {

/// What a plugin is given, and what it points to.
struct GivenRecording {
  hilda_recording table{}; // is first: it is what comes back
  Recording recording;
};

std::string text_or_empty(const char* text) { return text != nullptr ? text : ""; }

const hilda_recording* give_recording(const hilda_recording_request* request) {
  RecordingFault fault;
  try {
    auto recording =
        read_recording({text_or_empty(request->file), text_or_empty(request->signal), text_or_empty(request->time),
                        text_or_empty(request->unit), request->head_only != 0},
                       fault);
    if (recording) {
      auto given = std::make_unique<GivenRecording>();
      given->recording = std::move(*recording);
      const Recording& is = given->recording;
      given->table = {sizeof(hilda_recording),
                      0,
                      static_cast<std::int32_t>(is.rows),
                      static_cast<std::int32_t>(is.cols),
                      is.times.size(),
                      is.times.data(),
                      is.values.data(),
                      is.unit.c_str()};
      if (!is.note.empty()) request->warn(request->context, "file", is.note.c_str());
      return &given.release()->table;
    }
  } catch (const std::bad_alloc&) {
    fault = {"file", "there is no memory for it"};
  } catch (const std::exception& thrown) { fault = {"file", thrown.what()}; }
  request->refuse(request->context, fault.word, fault.text.c_str());
  return nullptr;
}

void release_recording(const hilda_recording* recording) {
  const std::unique_ptr<const GivenRecording> ends(reinterpret_cast<const GivenRecording*>(recording));
}

} // namespace

const hilda_recordings_1& recordings_ability() {
  static constexpr hilda_recordings_1 table{sizeof(hilda_recordings_1), 0, &give_recording, &release_recording};
  return table;
}

} // namespace hilda::log

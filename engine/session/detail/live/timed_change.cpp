// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/timed_change.h"

namespace hilda::session {
namespace {

bool set_texts(Tuning& tuning, const TimedChange& change, Recorder* recorder, Diagnostics& diagnostics) {
  std::vector<LiveSetting> settings;
  for (const Attribute& each : change.settings) settings.push_back({each.name, each.text});
  return settings.empty() || tuning.set(settings, recorder, diagnostics, change.settings.front().where);
}

bool write_numbers(Tuning& tuning, const TimedChange& change, Diagnostics& diagnostics) {
  std::vector<std::shared_ptr<Input>> inputs;
  std::vector<InputNumbers> numbers;
  for (const PlayedNumbers& each : change.played) {
    if (tuning.stands_at(each.path, each.numbers)) continue;
    inputs.push_back(tuning.input(each.path, diagnostics, change.played_where));
    if (inputs.back() == nullptr) return false;
    numbers.push_back({inputs.back().get(), each.numbers});
  }
  std::size_t refused = 0;
  const Written written = tuning.write(numbers, &refused);
  if (written == Written::taken) return true;
  diagnostics.error("play-refused", change.played_where,
                    numbers[refused].input->refusal(written, numbers[refused].numbers),
                    "play numbers that a program could write");
  return false;
}

} // namespace

bool take_timed_change(Tuning& tuning, const TimedChange& change, Recorder* recorder, Diagnostics& diagnostics) {
  if (!set_texts(tuning, change, recorder, diagnostics)) return false;
  if (change.played.empty()) return true;
  if (!write_numbers(tuning, change, diagnostics)) return false;
  do {
    if (recorder != nullptr) recorder->wait_for_room();
    tuning.take(recorder);
  } while (recorder != nullptr && tuning.numbers_wait());
  return true;
}

} // namespace hilda::session

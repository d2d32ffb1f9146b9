// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/saved_run.h"

#include <filesystem>

namespace hilda::session {

std::string inputs_file_of(const std::string& overlay) {
  return std::filesystem::path(overlay).replace_extension("inputs.mcap").string();
}

bool save_run(const std::string& overlay, const RepeatableRun& run, OutputFiles& files, std::string& error) {
  const auto text_file = files.open(overlay, OutputKind::text, FileContent::overlay);
  if (text_file == nullptr) {
    error = files.error();
    return false;
  }
  OverlaySettings settings = run.settings;
  if (!run.written.empty()) {
    if (!text_file->replaces()) {
      error = overlay + ": programs wrote numbers, which an overlay has in a file next to it\nhelp: save to a file";
      return false;
    }
    const std::string inputs = inputs_file_of(overlay);
    auto signal_file = files.open(inputs, OutputKind::file, FileContent::log);
    if (signal_file == nullptr) {
      error = files.error();
      return false;
    }
    std::vector<SparseSignal> signals;
    for (const RepeatableRun::Written& each : run.written) {
      const LogChannel& channel = each.signal.channel;
      signals.push_back(each.signal);
      settings.late.played.push_back({{"path", each.path, {}},
                                      {"file", std::filesystem::path(inputs).filename().string(), {}},
                                      channel.path + "." + channel.fields.front().name,
                                      {},
                                      {},
                                      {},
                                      {}});
    }
    if (!write_sparse_log(std::move(signal_file), run.period, signals, error)) return false;
  }
  const std::string text = write_overlay(settings);
  if (text_file->room_for(text.size()) && text_file->write(text) && text_file->commit()) return true;
  error = text_file->error();
  return false;
}

} // namespace hilda::session

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/summary.h"

namespace hilda::session {

std::string summary_text(const Summary& summary) {
  return summary.dump(2, ' ', false, Summary::error_handler_t::replace) + "\n";
}

bool write_summary(const Summary& summary, OutputFile& file, std::string& error) {
  const std::string text = summary_text(summary);
  if (file.room_for(text.size()) && file.write(text) && file.commit()) return true;
  error = file.error();
  return false;
}

bool write_summary(const Summary& summary, const std::string& path, std::string& error) {
  OutputFiles files;
  const auto file = files.open(path, OutputKind::text, FileContent::json);
  if (!file) error = files.error();
  return file && write_summary(summary, *file, error);
}

} // namespace hilda::session

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/program/text_file.h"

#include <cstdio>

namespace hilda::cli {

TextOutput::TextOutput(const std::string& file, FileContent content) {
  if (file.empty() || file == "-") return;
  file_ = files_.open(file, OutputKind::text, content);
  if (!file_) problem_ = refused(files_);
}

Exit TextOutput::write(const std::string& text) {
  if (file_) return finish(*file_, text);
  std::fwrite(text.data(), 1, text.size(), stdout); // the program's end looks whether it was taken
  return exit_ok;
}

} // namespace hilda::cli

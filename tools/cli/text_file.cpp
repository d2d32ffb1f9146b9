#include "tools/cli/text_file.h"

#include "tools/cli/terminal.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace hilda::cli {

Exit write_text(const std::string& text, const std::string& file) {
  const bool named = !file.empty() && file != "-";
  errno = 0;
  std::FILE* to = named ? std::fopen(file.c_str(), "wb") : stdout;
  bool written = to != nullptr && std::fwrite(text.data(), 1, text.size(), to) == text.size();
  if (to != nullptr) written = (named ? std::fclose(to) : std::fflush(to)) == 0 && written;
  if (written) return exit_ok;
  print_error((named ? file : std::string("standard output")) + " cannot be written: " + std::strerror(errno));
  return exit_failed_run;
}

} // namespace hilda::cli

#include "engine/observe/summary.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace hilda {
namespace {

bool write_file(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "wbe");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written;
}

} // namespace

std::string summary_text(const Summary& summary) {
  return summary.dump(2, ' ', false, Summary::error_handler_t::replace) + "\n";
}

bool write_summary(const Summary& summary, const std::string& path, std::string& error) {
  // a device or a pipe is written as it is: there is nothing to replace
  std::error_code unknown;
  const bool replace = !std::filesystem::exists(path, unknown) || std::filesystem::is_regular_file(path, unknown);
  const std::string target = replace ? path + "." + std::to_string(::getpid()) + ".part" : path;
  const bool written =
      write_file(target, summary_text(summary)) && (!replace || std::rename(target.c_str(), path.c_str()) == 0);
  if (written) return true;
  error = path + ": the summary cannot be written: " + std::system_category().message(errno);
  if (replace) std::filesystem::remove(target, unknown);
  return false;
}

} // namespace hilda

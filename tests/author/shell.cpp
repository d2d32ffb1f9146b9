#include "tests/author/shell.h"

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>

namespace hilda::test {

Done shell(const std::string& command) {
  Done done;
  std::FILE* const pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (pipe == nullptr) return done;
  char buffer[4096];
  for (std::size_t bytes; (bytes = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) done.out.append(buffer, bytes);
  const int status = pclose(pipe);
  done.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return done;
}

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "hilda_author_XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

} // namespace hilda::test

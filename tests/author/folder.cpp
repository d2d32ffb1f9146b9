#include "tests/author/folder.h"

#include <cstdlib>

namespace hilda::test {

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "hilda_author_XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

} // namespace hilda::test

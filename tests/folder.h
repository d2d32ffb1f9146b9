// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace hilda::test {

/// A folder of a test's own, removed with all that is in it.
class Folder {
public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "hilda_test_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder like " + pattern + " can be made");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  /// Byte by byte; makes the folders that `name` asks for.
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Of a file, bytes; 0 where there is none.
  std::uintmax_t size(const std::string& name) const {
    std::error_code none;
    const std::uintmax_t bytes = std::filesystem::file_size(path_ / name, none);
    return none ? 0 : bytes;
  }

private:
  std::filesystem::path path_;
};

} // namespace hilda::test

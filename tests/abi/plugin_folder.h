#pragma once

#include "engine/host/library.h"

#include <filesystem>
#include <string>
#include <unistd.h>

namespace hilda::test {

/// A folder of its own that goes with the test.
class Folder {
public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("hilda_abi_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

/// Path of one of this folder's test plugins.
std::string plugin(const std::string& name);

/// What the host says about a file that it refuses, with the folder's path as PLUGINS; empty where it is taken.
std::string refusal(const std::string& file);

/// Does `text` equal the golden file of this name? Where HILDA_UPDATE_GOLDEN is set, the file is written.
void expect_golden(const std::string& name, const std::string& text);

/// `text` with every `from` as `to`.
std::string replaced(std::string text, const std::string& from, const std::string& to);

} // namespace hilda::test

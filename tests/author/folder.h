#pragma once

#include <filesystem>
#include <string>

namespace hilda::test {

/// A folder of its own that goes with the test.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace hilda::test

#pragma once

#include <filesystem>
#include <string>

namespace hilda::test {

/// What the program did.
struct Outcome {
  int exit = -1;
  std::string out, err;
};

/// A folder of its own for one test, the current one while the program runs, removed afterwards.
class Workplace {
public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  std::filesystem::path folder() const { return folder_; }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  /// Runs `hilda ARGUMENTS` with the test plugins beside the standard ones. `before` and `after` are put around it in
  /// the shell's line.
  Outcome hilda(const std::string& arguments, const std::string& before = "", const std::string& after = "") const;

private:
  std::filesystem::path folder_;
};

} // namespace hilda::test

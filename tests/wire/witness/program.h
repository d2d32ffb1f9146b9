// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace witness {

/// The program under test as a child process, its output in files.
class Program {
public:
  Program(const std::vector<std::string>& command, const std::string& out, const std::string& err);
  ~Program(); ///< kills it where it still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The same command, its output in files with this behind their names.
  std::unique_ptr<Program> again(const std::string& suffix) const {
    return std::make_unique<Program>(command_, out_ + suffix, err_ + suffix);
  }
  bool running();
  void signal(int number) const;
  /// 128 and the signal where one killed it.
  int exit_code() const;

private:
  std::vector<std::string> command_;
  std::string out_, err_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool over_ = false;
};

/// SIGINT by "INT"; 0 where there is no such name.
int signal_number(const std::string& name);

} // namespace witness

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// Lines of commands: from a terminal, with a prompt, history and completion where hilda was built with libedit; from a
/// pipe or a file without all that. Only one at a time.
class Console {
public:
  /// The words that may be at the end of what has been typed: all of them, whatever its last word begins with.
  using Words = std::function<std::vector<std::string>(const std::string& before)>;

  explicit Console(Words words);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// Does a person sit there?
  bool interactive() const { return interactive_; }
  /// The next line, waited for; none where there are no more, or where `give_up` is answered with true.
  std::optional<std::string> next(const std::function<bool()>& give_up);
  /// A line that is there already.
  std::optional<std::string> poll();
  /// Were all lines read?
  bool at_end() const { return at_end_ && lines_.empty(); }

private:
  bool wait(int milliseconds);
  void read();
  void split(bool rest);

  bool interactive_, at_end_ = false;
  std::string buffer_;
  std::vector<std::string> lines_;
};

} // namespace hilda::cli

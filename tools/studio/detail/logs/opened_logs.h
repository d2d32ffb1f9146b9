// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hilda::studio {

/// Logs that pages have handed over, in a folder that belongs to this object and goes with it. Nothing that a client
/// says becomes part of a path.
class OpenedLogs {
public:
  static constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20; ///< of one
  static constexpr std::uint64_t all_bytes = std::uint64_t{1} << 30;    ///< of all
  static constexpr std::size_t most = 16;

  OpenedLogs() = default;
  ~OpenedLogs();
  OpenedLogs(const OpenedLogs&) = delete;
  OpenedLogs& operator=(const OpenedLogs&) = delete;

  struct Place {
    int number = 0;
    std::string path;
  };
  /// For another log: a file that is not there yet. None, and a sentence with "\nhelp: ", where there is no room.
  std::optional<Place> add(std::string& error);
  /// Name of a file in the folder that is not there, for something that is soon gone; empty, and a sentence.
  std::string passing_file(std::string& error);
  /// It is there, and this is what is reported of it: a JSON object without its number.
  void keep(int number, std::string description);
  void remove(int number);
  /// Null where there is no such log.
  const std::string* path(int number) const;

  /// A JSON object: `logs`, each with its number as `log`, and the limits.
  std::string list() const;
  /// One of them.
  std::string text_of(int number) const;

private:
  struct Opened {
    int number;
    std::string path, description;
  };
  bool make_folder(std::string& error);

  std::string folder_;
  std::vector<Opened> all_;
  int next_ = 1;
};

} // namespace hilda::studio

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/fmi/foreign_model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::fmi {

/// A ZIP file that someone else wrote: its list is checked as a whole before anything is taken out of it.
class Zip {
public:
  struct Entry {
    std::string name;
    std::uint64_t at = 0, packed = 0, size = 0;
    std::uint32_t sum = 0;
    bool deflated = false, folder = false;
  };

  /// None, and `fault`, where it is not one, or has what an FMU may not have: a link, a path outside, too much.
  static std::optional<Zip> open(const std::string& file, Fault& fault);
  static std::optional<Zip> of(std::string bytes, Fault& fault);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(const std::string& name) const;
  /// The content, or none and `fault`.
  std::optional<std::string> read(const Entry& entry, Fault& fault) const;

private:
  void list();
  void check(const Entry& entry, std::uint32_t attributes, std::uint16_t made_by, std::uint16_t flags,
             std::uint16_t method) const;
  std::uint64_t number(std::uint64_t at, int bytes) const;

  std::string bytes_;
  std::vector<Entry> entries_;
};

/// The model of an FMU, or none and `fault`. Nothing is written.
std::optional<ForeignModel> read_fmu(const std::string& file, Fault& fault);

/// The libraries in an FMU: "linux64, win64".
std::string platforms_in(const Zip& zip);

/// An FMU in a private folder, which goes with this object. Folders of processes that have ended go, too.
class Unpacked {
public:
  static std::unique_ptr<Unpacked> open(const std::string& file, Fault& fault);
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;
  ~Unpacked();

  const ForeignModel& model() const { return model_; }
  const std::string& folder() const { return folder_; }
  /// The library for this machine.
  const std::string& library() const { return library_; }

private:
  Unpacked(ForeignModel model, std::string folder) : model_(std::move(model)), folder_(std::move(folder)) {}
  bool fill(const Zip& zip, Fault& fault);

  ForeignModel model_;
  std::string folder_, library_;
};

/// The names of the libraries that a library needs, for a message.
std::string needed_by(const std::string& library);
/// Is the file a shared library of this machine, with all its parts?
bool is_whole_library(const std::string& library);

} // namespace hilda::fmi

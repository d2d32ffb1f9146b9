// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/fmi/unpacked.h"

#include <cstdarg>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// An instance of an FMU for co-simulation, by the functions of FMI 2.0 or 3.0.

namespace fmu {

using hilda::fmi::Cell;
using hilda::fmi::ForeignVariable;

/// What a call of the FMU came to, in words.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A line of the FMU's log.
struct Message {
  double time;
  int status;
  std::string category, text;
};

const char* severity(int status);

/// A variable and where its numbers lie: a signal or a parameter in a record of hilda, in SI, column by column. Real
/// numbers are double, integers int64_t, of UInt64 uint64_t, booleans uint8_t, texts const char*.
struct Place {
  const ForeignVariable* variable = nullptr;
  double factor = 1, offset = 0; ///< SI = factor * the FMU's number + offset
  std::int64_t rows = 1, cols = 1;
};

class Slave {
public:
  /// Loads the library. Throws Refusal.
  Slave(const hilda::fmi::Unpacked& files, std::string instance);
  Slave(const Slave&) = delete;
  Slave& operator=(const Slave&) = delete;
  ~Slave();

  /// The functions that these variables need and the library does not have; empty: none.
  std::string missing(const std::vector<Place>& set, const std::vector<Place>& get) const;
  bool keeps_state() const;

  // All of these throw Refusal.
  void instantiate(); ///< as at its very beginning: made, or reset
  void initialize(double time);
  void finish_initialization();
  void set(const Place& place, const void* numbers);
  void get(const Place& place, void* numbers);
  enum class Went : std::uint8_t { on, ended };
  Went step(double time, double size);
  std::string save();
  void load(std::string_view bytes);

  bool started() const { return started_; }
  std::vector<Message> log() const;
  std::size_t unkept() const { return unkept_; } ///< messages beyond those that are kept

private:
  using Function = void (*)();
  Function find(const std::string& name) const; ///< without "fmi2"; null where the library does not have it
  Function need(const std::string& name) const;
  template <class... Arguments> int call(const char* name, Arguments... arguments);
  void check(const std::string& name, int status);
  void make();
  void drop();
  std::string last_words(std::size_t from) const;
  void take(int status, const char* category, std::string text);
  static void log2(void* self, const char* instance, int status, const char* category, const char* form, ...);
  static void log3(void* self, int status, const char* category, const char* text);

  struct Callbacks2 {
    void (*logger)(void*, const char*, int, const char*, const char*, ...);
    void* (*allocate)(std::size_t, std::size_t);
    void (*release)(void*);
    void (*finished)(void*, int);
    void* environment;
  };

  const hilda::fmi::ForeignModel& model_;
  std::string name_, resources_, prefix_;
  Callbacks2 callbacks_{};
  void *library_ = nullptr, *instance_ = nullptr;
  bool started_ = false, fatal_ = false;
  double time_ = 0;
  std::vector<unsigned char> cells_;
  mutable std::mutex guard_; ///< of the log: an FMU may write it from another thread
  std::vector<Message> log_;
  std::size_t unkept_ = 0;
};

} // namespace fmu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstdint>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace hilda::study {

/// A SQLite file. The first failure stays in `error`, in words; nothing is done after it. One thread.
class Database {
public:
  Database() = default;
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Who reads takes part in the file's journal, so that nothing is left next to it, and cannot change it. Where the
  /// folder cannot be written and there is no journal, the file is read as one that no one writes.
  enum class Access { read, write, create };
  bool open(const std::string& path, Access access);
  /// Statements without results.
  bool execute(const std::string& sql);
  void close();

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  /// The same without the file's name.
  const std::string& why() const { return why_; }
  /// The file itself is damaged, or cannot be read at all; else what failed is what was asked of it.
  bool damaged() const { return damaged_; }
  bool unreadable() const { return unreadable_; }

private:
  friend class Statement;
  bool connect(const std::string& name, int flags);
  bool fail();
  sqlite3* file_ = nullptr;
  std::string path_, error_, why_;
  bool damaged_ = false, unreadable_ = false;
};

/// One prepared statement, used again and again. Places count from 1 where they are bound, columns from 0.
class Statement {
public:
  Statement(Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int place, std::int64_t number);
  /// NaN is stored as NULL, which is how SQLite has it; infinities are kept.
  Statement& bind(int place, double number);
  Statement& bind(int place, std::string_view text);
  Statement& bind_null(int place);
  Statement& bind_bytes(int place, std::string_view bytes);

  /// The next row; false at the end, or after an error.
  bool step();
  /// One that gives no rows; false after an error. Can be bound again then.
  bool run();
  void reset();

  std::int64_t integer(int column) const;
  /// NULL is NaN.
  double real(int column) const;
  std::string text(int column) const;
  bool is_null(int column) const;
  bool is_text(int column) const;

private:
  bool check(int code);
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

/// "name" as SQL quotes it.
std::string sql_name(const std::string& name);

} // namespace hilda::study

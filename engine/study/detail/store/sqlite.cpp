// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/detail/store/sqlite.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <sqlite3.h>
#include <system_error>
#include <unistd.h>

namespace hilda::study {
namespace {

/// SQLite reads a file in WAL mode by making files next to it. Where that is not possible and there are none, no one is
/// writing it.
bool lies_still(const std::string& path) {
  std::error_code none;
  const std::filesystem::path file = std::filesystem::canonical(path, none);
  if (none || ::access(file.parent_path().c_str(), W_OK) == 0) return false;
  return !std::filesystem::exists(file.string() + "-wal", none) &&
         !std::filesystem::exists(file.string() + "-journal", none);
}

/// "file:" and the path, in which no sign means anything else.
std::string uri(const std::string& path) {
  std::string text = "file:";
  for (const char c : std::filesystem::absolute(path).string())
    c == '%' || c == '?' || c == '#' ? text += fmt::format("%{:02x}", static_cast<unsigned char>(c)) : text += c;
  return text;
}

} // namespace

Database::~Database() { close(); }

void Database::close() {
  if (file_ != nullptr) sqlite3_close(file_);
  file_ = nullptr;
}

bool Database::connect(const std::string& name, int flags) {
  constexpr int patience = 5000; // ms, for readers next to a writer
  if (sqlite3_open_v2(name.c_str(), &file_, flags | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK) return fail();
  sqlite3_busy_timeout(file_, patience);
  return true;
}

bool Database::open(const std::string& path, Access access) {
  path_ = path;
  if (access == Access::read && lies_still(path))
    return connect(uri(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  // A database opened read-only leaves its journal's files behind. SQLite itself opens a file read-only where it may
  // not be written.
  const int flags = SQLITE_OPEN_READWRITE | (access == Access::create ? SQLITE_OPEN_CREATE : 0);
  return connect(path, flags) && (access != Access::read || execute("PRAGMA query_only = ON"));
}

bool Database::fail() {
  if (!error_.empty()) return false;
  const int code = file_ != nullptr ? sqlite3_errcode(file_) : SQLITE_NOMEM;
  damaged_ = code == SQLITE_CORRUPT;
  unreadable_ = code != SQLITE_ERROR && code != SQLITE_NOTADB;
  why_ = damaged_ ? "the file is damaged" : file_ != nullptr ? sqlite3_errmsg(file_) : "no memory";
  error_ = path_ + ": " + why_;
  return false;
}

bool Database::execute(const std::string& sql) {
  if (!ok()) return false;
  return sqlite3_exec(file_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK || fail();
}

Statement::Statement(Database& database, const std::string& sql) : database_(database) {
  if (database.ok()) check(sqlite3_prepare_v2(database.file_, sql.c_str(), -1, &statement_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

bool Statement::check(int code) { return code == SQLITE_OK || database_.fail(); }

Statement& Statement::bind(int place, std::int64_t number) {
  if (database_.ok()) check(sqlite3_bind_int64(statement_, place, number));
  return *this;
}

Statement& Statement::bind(int place, double number) {
  if (std::isnan(number)) return bind_null(place);
  if (database_.ok()) check(sqlite3_bind_double(statement_, place, number));
  return *this;
}

Statement& Statement::bind(int place, std::string_view text) {
  if (database_.ok())
    check(sqlite3_bind_text(statement_, place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_null(int place) {
  if (database_.ok()) check(sqlite3_bind_null(statement_, place));
  return *this;
}

Statement& Statement::bind_bytes(int place, std::string_view bytes) {
  if (database_.ok())
    check(sqlite3_bind_blob(statement_, place, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT));
  return *this;
}

bool Statement::step() {
  if (!database_.ok()) return false;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail();
  return false;
}

bool Statement::run() {
  step();
  reset();
  return database_.ok();
}

void Statement::reset() {
  if (statement_ != nullptr) sqlite3_reset(statement_);
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::real(int column) const {
  return is_null(column) ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
  const int bytes = sqlite3_column_bytes(statement_, column);
  const void* text = sqlite3_column_blob(statement_, column);
  return text != nullptr ? std::string(static_cast<const char*>(text), static_cast<std::size_t>(bytes)) : std::string();
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
bool Statement::is_text(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_TEXT; }

std::string sql_name(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) c == '"' ? quoted += "\"\"" : quoted += c;
  return quoted + "\"";
}

} // namespace hilda::study

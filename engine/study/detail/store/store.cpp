// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/store.h"

#include "engine/base/error.h"
#include "engine/base/near_file.h"
#include "engine/base/output_files.h"
#include "engine/study/detail/written/mix.h"

#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <sys/file.h>
#include <unistd.h>

namespace hilda::study {
namespace {

constexpr const char* tables =
    "CREATE TABLE study(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE files(place INTEGER PRIMARY KEY, name TEXT, text BLOB);"
    "CREATE TABLE columns(place INTEGER PRIMARY KEY, kind TEXT, name TEXT, unit TEXT, doc TEXT);"
    "CREATE TABLE searches(first INTEGER PRIMARY KEY, rows INTEGER, text TEXT);";

constexpr const char* proven_key = "proven";
constexpr const char* head_key = "head"; // its hash; stores of older programs have none
constexpr const char* recompute = "\nhelp: name another file with -o, or remove this one; the runs are made again";
constexpr const char* endings = "ending, cause, block, signal, time, steps, base, git, hash";

} // namespace

Store::~Store() {
  insert_.reset();
  database_.close();
  if (lock_ >= 0) ::close(lock_); // behind SQLite's own: closing a file drops that process's locks on it
}

/// A separate lock next to SQLite's, held for as long as the process writes.
bool Store::lock(const std::string& path, std::string& error) {
  lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) {
    error = path + " cannot be written: " + std::generic_category().message(errno);
    return false;
  }
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return true;
  const std::string who = writer_of(path);
  error = path + " is being written by " + (who.empty() ? "another process" : who) +
          "\nhelp: wait for it, or name another file with -o";
  return false;
}

std::unique_ptr<Store> Store::write(const std::string& path, const StoreHead& head, std::string& error, bool& damaged) {
  std::unique_ptr<Store> store(new Store(path));
  if (store->lock(path, error) && store->prepare(path, head, error)) return store;
  damaged = store->damaged();
  return nullptr;
}

std::unique_ptr<Store> Store::fill(const std::string& path, const StoreHead& head, std::string& error) {
  std::unique_ptr<Store> store(new Store(path));
  return store->prepare(path, head, error) ? std::move(store) : nullptr;
}

bool Store::prepare(const std::string& path, const StoreHead& head, std::string& error) {
  const auto refuse = [&](const std::string& why) {
    error = damaged() ? path + " is damaged: " + (ok() ? why : database_.why()) +
                            "\nhelp: name another file with -o, or remove this one; the runs are made again"
                      : why;
    return false;
  };
  if (!database_.open(path, Database::Access::create) ||
      !database_.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"))
    return refuse(database_.error());
  bool fresh = true;
  {
    Statement there(database_, "SELECT count(*) FROM sqlite_master");
    fresh = there.step() && there.integer(0) == 0;
  }
  if (!database_.ok()) return refuse(database_.error());
  if (fresh) {
    if (!create(head)) return refuse(database_.error());
  } else {
    if (!is_whole()) return refuse("its pages do not fit together");
    if (!read_head()) return refuse(path + " is not a store of a study\nhelp: name another file with -o");
    if (const std::string why = head_.conflict(head, "now"); !why.empty())
      return refuse(path + " holds the rows of another study or program: " + why +
                    "\nhelp: name another file with -o, or remove this one");
    if (std::string why = changed(); !why.empty()) {
      error = std::move(why);
      return false;
    }
  }
  std::string marks = "?";
  for (std::size_t i = 0; i < head_.coordinates.size() + head_.figures.size() + 9; ++i) marks += ",?";
  insert_ = std::make_unique<Statement>(database_, "INSERT OR IGNORE INTO runs VALUES(" + marks + ")");
  return database_.ok() || refuse(database_.error());
}

std::unique_ptr<Store> Store::read(const std::string& path, std::string& error) {
  std::unique_ptr<Store> store(new Store(path));
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) {
    const std::string near = near_file(path, path);
    error = "cannot read " + path + ": there is no such file\nhelp: " +
            (near.empty() ? "hilda sweep STUDY.xml writes one, out/NAME.sqlite unless -o names another"
                          : "did you mean " + in_quotes(near) + "?");
    return nullptr;
  }
  const Database& database = store->database_;
  // One transaction: a writer may be at the units of figures.
  if (store->database_.open(path, Database::Access::read) && store->database_.execute("BEGIN") && store->read_head() &&
      store->intact_head() && store->database_.execute("COMMIT"))
    return store;
  error = !store->fault_.empty()  ? store->fault_
          : database.damaged()    ? database.error()
          : database.unreadable() ? "cannot read " + database.error()
                                  : path + " is not a store of a study" + (store->ok() ? "" : ": " + database.why());
  return nullptr;
}

/// As SQLite sees it.
bool Store::is_whole() {
  Statement check(database_, "PRAGMA quick_check(1)");
  damaged_ = check.step() && check.text(0) != "ok";
  return ok() && !damaged_;
}

/// What has changed since it was written; empty: nothing. Anyone who continues with a store calls its rows the study's.
std::string Store::changed() {
  if (intact_head()) each([](const StudyRow&) { return true; });
  return error();
}

/// Of all that is not a row.
std::uint64_t Store::head_hash() {
  Mix mix;
  for (const std::string* text :
       {&head_.name, &head_.study_file, &head_.hash, &head_.version, &head_.git, &head_.mathematics})
    mix.add(*text);
  mix.add(static_cast<std::uint64_t>(head_.runs));
  for (const auto* columns : {&head_.coordinates, &head_.figures}) {
    mix.add(columns->size());
    for (const StoreHead::Column& column : *columns)
      mix.add(column.name).add(column.unit).add(column.doc).add(column.numeric ? 1u : 0u).add(column.drawn ? 1u : 0u);
  }
  return mix.word();
}

bool Store::intact_head() {
  std::string what;
  if (LoadedStudy::hash_of(head_.files) != head_.hash) what = "the files of its study are not as they were written";
  Statement stored(database_, "SELECT value FROM study WHERE key = ?");
  stored.bind(1, head_key);
  if (stored.step() && static_cast<std::uint64_t>(stored.integer(0)) != head_hash())
    what = "its columns are not as they were written";
  if (what.empty()) return database_.ok();
  fault_ = path_ + " is damaged: " + what + recompute, damaged_ = true;
  return false;
}

void Store::note_head() {
  Statement(database_, "INSERT OR REPLACE INTO study VALUES(?, ?)")
      .bind(1, head_key)
      .bind(2, static_cast<std::int64_t>(head_hash()))
      .run();
}

bool Store::create(const StoreHead& head) {
  std::string runs = "CREATE TABLE runs(run INTEGER PRIMARY KEY";
  for (const StoreHead::Column& column : head.coordinates)
    runs += ", " + sql_name(column.name) + (column.numeric ? " REAL" : " TEXT");
  for (const StoreHead::Column& column : head.figures) runs += ", " + sql_name(column.name) + " REAL";
  runs += ", ending TEXT, cause TEXT, block TEXT, signal TEXT, time REAL, steps INTEGER, base INTEGER, git TEXT, "
          "hash INTEGER);";
  if (!database_.execute(std::string("BEGIN;") + tables + runs)) return false;
  {
    Statement key(database_, "INSERT INTO study VALUES(?, ?)");
    for (const auto& [name, value] : std::map<std::string, std::string>{{"format", "1"},
                                                                        {"name", head.name},
                                                                        {"file", head.study_file},
                                                                        {"hash", head.hash},
                                                                        {"version", head.version},
                                                                        {"git", head.git},
                                                                        {"mathematics", head.mathematics}})
      key.bind(1, name).bind(2, value).run();
    key.bind(1, "runs").bind(2, head.runs).run();
    if (head.proven) key.bind(1, proven_key).bind(2, std::int64_t{1}).run();
    Statement file(database_, "INSERT INTO files VALUES(?, ?, ?)");
    std::int64_t place = 0;
    for (const LoadedStudy::File& each : head.files)
      file.bind(1, place++).bind(2, each.name).bind_bytes(3, each.text).run();
    Statement column(database_, "INSERT INTO columns VALUES(?, ?, ?, ?, ?)");
    place = 0;
    const auto add = [&](const StoreHead::Column& each, const char* kind) {
      column.bind(1, place++).bind(2, kind).bind(3, each.name).bind(4, each.unit).bind(5, each.doc).run();
    };
    for (const StoreHead::Column& each : head.coordinates)
      add(each, each.drawn ? "draw" : each.numeric ? "number" : "word");
    for (const StoreHead::Column& each : head.figures) add(each, "figure");
  }
  head_ = head;
  note_head();
  return database_.execute("COMMIT;");
}

bool Store::read_head() {
  {
    Statement keys(database_, "SELECT key, value FROM study");
    std::map<std::string, std::string> values;
    while (keys.step()) values[keys.text(0)] = keys.text(1);
    if (values["format"] != "1") return false;
    head_.name = values["name"], head_.study_file = values["file"], head_.hash = values["hash"];
    head_.version = values["version"], head_.git = values["git"], head_.mathematics = values["mathematics"];
    head_.proven = values.contains(proven_key);
    Statement runs(database_, "SELECT value FROM study WHERE key = 'runs'");
    if (runs.step()) head_.runs = runs.integer(0);
  }
  Statement files(database_, "SELECT name, text FROM files ORDER BY place");
  while (files.step()) head_.files.push_back({files.text(0), files.text(1)});
  Statement columns(database_, "SELECT kind, name, unit, doc FROM columns ORDER BY place");
  while (columns.step()) {
    const std::string kind = columns.text(0);
    (kind == "figure" ? head_.figures : head_.coordinates)
        .push_back({columns.text(1), columns.text(2), columns.text(3), kind != "word", kind == "draw"});
  }
  return database_.ok();
}

std::string Store::all_columns() const {
  std::string columns = "run";
  for (const StoreHead::Column& column : head_.coordinates) columns += ", " + sql_name(column.name);
  for (const StoreHead::Column& column : head_.figures) columns += ", " + sql_name(column.name);
  return columns + ", " + endings;
}

StudyRow Store::row_of(const Statement& statement) const {
  StudyRow row;
  int at = 0;
  row.run = statement.integer(at++);
  for (const StoreHead::Column& column : head_.coordinates) {
    RunPoint::Coordinate coordinate{NAN, ""};
    if (column.numeric)
      coordinate.number = statement.real(at);
    else
      coordinate.label = statement.text(at);
    row.coordinates.push_back(coordinate);
    ++at;
  }
  for (std::size_t i = 0; i < head_.figures.size(); ++i) row.figures.push_back(statement.real(at++));
  row.ending = statement.text(at++);
  row.cause = statement.text(at++), row.block = statement.text(at++), row.signal = statement.text(at++);
  row.time = statement.real(at++), row.steps = statement.integer(at++), row.base = statement.integer(at++);
  row.stored = static_cast<std::uint64_t>(statement.integer(++at)); // behind git
  return row;
}

std::int64_t Store::rows() {
  Statement count(database_, "SELECT count(*) FROM runs");
  return count.step() ? count.integer(0) : 0;
}

bool Store::each(const std::function<bool(const StudyRow&)>& take, std::int64_t first, std::int64_t end) {
  Statement rows(database_, "SELECT " + all_columns() + " FROM runs WHERE run >= ? AND run < ? ORDER BY run");
  rows.bind(1, first).bind(2, end);
  while (rows.step()) {
    const StudyRow row = row_of(rows);
    if (row.stored != row.hash()) {
      fault_ = fmt::format("{} is damaged: run {} is not as it was written: its values do not give its hash{}", path_,
                           row.run, recompute);
      damaged_ = true;
      break;
    }
    if (!take(row)) break;
  }
  return ok();
}

bool Store::intact() {
  return each([](const StudyRow&) { return true; });
}

std::optional<StudyRow> Store::row(std::int64_t run) {
  std::optional<StudyRow> found;
  each(
      [&](const StudyRow& row) {
        found = row;
        return false;
      },
      run, run + 1);
  return found;
}

bool Store::has_figure(std::size_t figure) {
  Statement one(database_, "SELECT 1 FROM runs WHERE " + sql_name(head_.figures[figure].name) + " IS NOT NULL LIMIT 1");
  return one.step();
}

void Store::prove() {
  head_.proven = true;
  Statement(database_, "INSERT OR REPLACE INTO study VALUES(?, 1)").bind(1, proven_key).run();
}

bool Store::add(const std::vector<StudyRow>& rows) {
  if (rows.empty()) return ok();
  database_.execute("BEGIN");
  for (const StudyRow& row : rows) {
    int place = 1;
    insert_->bind(place++, row.run);
    for (std::size_t i = 0; i < row.coordinates.size(); ++i) {
      if (head_.coordinates[i].numeric)
        insert_->bind(place++, row.coordinates[i].number);
      else
        insert_->bind(place++, row.coordinates[i].label);
    }
    for (const double figure : row.figures) insert_->bind(place++, figure);
    for (const std::string* text : {&row.ending, &row.cause, &row.block, &row.signal}) insert_->bind(place++, *text);
    insert_->bind(place++, row.time);
    for (const std::int64_t number : {row.steps, row.base}) insert_->bind(place++, number);
    insert_->bind(place++, head_.git);
    insert_->bind(place, static_cast<std::int64_t>(row.hash())).run();
  }
  return database_.execute("COMMIT");
}

void Store::set_units(const std::vector<std::string>& units) {
  bool more = false;
  for (std::size_t i = 0; i < std::min(units.size(), head_.figures.size()); ++i)
    more = more || (!units[i].empty() && head_.figures[i].unit.empty());
  if (!more) return;
  database_.execute("BEGIN");
  Statement set(database_, "UPDATE columns SET unit = ? WHERE kind = 'figure' AND name = ?");
  for (std::size_t i = 0; i < std::min(units.size(), head_.figures.size()); ++i) {
    if (units[i].empty() || !head_.figures[i].unit.empty()) continue;
    head_.figures[i].unit = units[i];
    set.bind(1, units[i]).bind(2, head_.figures[i].name).run();
  }
  set.reset();
  note_head();
  database_.execute("COMMIT");
}

std::int64_t Store::search(const std::string& text, std::int64_t rows) {
  std::int64_t next = head_.runs;
  Statement known(database_, "SELECT first, rows, text FROM searches ORDER BY first");
  while (known.step()) {
    if (known.text(2) == text) return known.integer(0);
    next = known.integer(0) + known.integer(1);
  }
  known.reset();
  Statement(database_, "INSERT INTO searches VALUES(?, ?, ?)").bind(1, next).bind(2, rows).bind(3, text).run();
  return next;
}

void Store::settle() {
  insert_.reset();
  database_.execute("PRAGMA journal_mode=DELETE");
}

} // namespace hilda::study

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/study/detail/store/row.h"
#include "engine/study/detail/store/sqlite.h"
#include "engine/study/loaded_study.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::study {

/// What a store holds in addition to its rows.
struct StoreHead {
  std::string name, study_file, hash;    ///< hash: of the study and all its files
  std::string version, git, mathematics; ///< of the program that made the rows
  std::int64_t runs = 0;                 ///< of the design
  bool proven = false;                   ///< runs of each diagram have the study's figures
  struct Column {
    std::string name, unit, doc;
    bool numeric = true, drawn = false;
  };
  std::vector<Column> coordinates, figures;
  std::vector<LoadedStudy::File> files;

  /// Why rows of the other do not go with these; empty: they do. `where` the other is: "now", "in part2.sqlite".
  std::string conflict(const StoreHead& other, const std::string& where) const;
};

StoreHead head_of(const LoadedStudy& study, const ProgramOrigin& program);

/// The results of a study: a SQLite file with a table `runs`, a row a run, and all that is needed to make them again.
///
/// Tables: study(key, value), files(name, text), columns(place, kind, name, unit, doc) with the kinds number, word,
/// draw and figure, searches(first, text) and runs(run, a column each setting and figure, ending, cause, block, signal,
/// time, steps, base, git, hash). NaN is NULL. Each row has a hash of its values, and the key "head" one of all that is
/// not a row; every reader compares them. Whatever ends the writing process, a row is whole or not there.
class Store {
public:
  /// Opens a store for more rows, or makes it. Null, and `error`, where it is another study's or program's, where
  /// another process writes it, or where its rows are not as they were written: it is `damaged` then.
  static std::unique_ptr<Store> write(const std::string& path, const StoreHead& head, std::string& error,
                                      bool& damaged);
  /// The same for a file that is this process's already.
  static std::unique_ptr<Store> fill(const std::string& path, const StoreHead& head, std::string& error);
  /// Null, and `error`, where it is none.
  static std::unique_ptr<Store> read(const std::string& path, std::string& error);
  ~Store();

  const StoreHead& head() const { return head_; }
  std::int64_t rows();
  /// False where that cannot be read.
  bool is_empty() { return rows() == 0 && ok(); }
  /// In the order of their numbers. `take` gives false to end it. A row that does not have the hash with which it was
  /// written is not given to `take`: it ends the reading as an error, and the store is `damaged` from then on.
  bool each(const std::function<bool(const StudyRow&)>& take, std::int64_t first = 0, std::int64_t end = INT64_MAX);
  /// Reads all of them; false where one is not as it was written.
  bool intact();
  std::optional<StudyRow> row(std::int64_t run);
  /// A row has a number for this one.
  bool has_figure(std::size_t figure);
  /// Runs of each diagram have the study's figures.
  bool proven() const { return head_.proven; }
  void prove();
  /// Such runs have been made, whatever came of them; known to this process alone.
  bool tried() const { return tried_; }
  void note_trial() { tried_ = true; }

  /// All of them at once, or none. A row that is there stays.
  bool add(const std::vector<StudyRow>& rows);
  /// Units of figures are known once a run has reported them.
  void set_units(const std::vector<std::string>& units);
  /// The first number of a search's rows, the same whenever it is asked for by the same text.
  std::int64_t search(const std::string& text, std::int64_t rows);
  /// Into one file, without others next to it.
  void settle();

  bool ok() const { return database_.ok() && fault_.empty(); }
  const std::string& error() const { return fault_.empty() ? database_.error() : fault_; }
  bool damaged() const { return damaged_ || database_.damaged(); }

private:
  explicit Store(std::string path) : path_(std::move(path)) {}
  bool prepare(const std::string& path, const StoreHead& head, std::string& error);
  bool create(const StoreHead& head);
  bool is_whole();
  std::string changed();
  bool read_head();
  std::uint64_t head_hash();
  bool intact_head();
  void note_head();
  bool lock(const std::string& path, std::string& error);
  StudyRow row_of(const Statement& statement) const;
  std::string all_columns() const;

  std::string path_;
  Database database_;
  StoreHead head_;
  std::unique_ptr<Statement> insert_;
  int lock_ = -1;
  std::string fault_; ///< what has changed since it was written
  bool damaged_ = false, tried_ = false;
};

} // namespace hilda::study

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/merge.h"

#include "engine/base/output_files.h"
#include "engine/study/store.h"

#include <filesystem>
#include <fmt/format.h>
#include <queue>

namespace hilda::study {
namespace {

/// One store, piece by piece: a million rows are not held in memory.
class RowReader {
public:
  explicit RowReader(Store& store) : store_(store) { fetch(); }
  const StudyRow* row() const { return at_ < rows_.size() ? &rows_[at_] : nullptr; }
  void next() {
    if (++at_ == rows_.size()) fetch();
  }

private:
  void fetch() {
    constexpr std::size_t piece = 10'000;
    const std::int64_t from = rows_.empty() ? 0 : rows_.back().run + 1;
    rows_.clear();
    at_ = 0;
    store_.each(
        [this](const StudyRow& row) {
          rows_.push_back(row);
          return rows_.size() < piece;
        },
        from);
  }
  Store& store_;
  std::vector<StudyRow> rows_;
  std::size_t at_ = 0;
};

} // namespace

bool merge_stores(const std::vector<std::string>& stores, const std::string& into, Merged& merged, std::string& error) {
  OutputFiles files;
  std::vector<std::unique_ptr<Store>> all;
  for (const std::string& path : stores) {
    files.reads(path);
    std::unique_ptr<Store> store = Store::read(path, error);
    if (!store) return false;
    if (!all.empty())
      if (const std::string why = all.front()->head().conflict(store->head(), "in " + path); !why.empty()) {
        error = stores.front() + " and " + path + " do not belong together: " + why +
                "\nhelp: merge parts of one study that one program has made";
        return false;
      }
    all.push_back(std::move(store));
  }
  const std::unique_ptr<OutputFile> file = files.open(into, OutputKind::file, FileContent::results);
  if (!file) {
    error = files.error(), merged.misuse = files.misuse(), merged.unwritten = !files.misuse();
    return false;
  }
  StoreHead head = all.front()->head();
  for (const auto& store : all) head.proven = head.proven || store->head().proven;
  for (const auto& store : all)
    for (std::size_t i = 0; i < head.figures.size(); ++i)
      if (head.figures[i].unit.empty()) head.figures[i].unit = store->head().figures[i].unit;
  std::unique_ptr<Store> made = Store::fill(file->part(), head, error);
  merged.unwritten = !made;
  if (!made) return false;
  std::vector<RowReader> readers;
  readers.reserve(all.size());
  for (const auto& store : all) readers.emplace_back(*store);
  std::vector<StudyRow> rows;
  const auto flush = [&](std::size_t most) {
    if (rows.size() < most) return true;
    const bool taken = made->add(rows);
    rows.clear();
    return taken;
  };
  while (true) {
    const StudyRow* least = nullptr;
    std::size_t whose = 0;
    for (std::size_t i = 0; i < readers.size(); ++i)
      if (const StudyRow* row = readers[i].row(); row != nullptr && (least == nullptr || row->run < least->run))
        least = row, whose = i;
    if (least == nullptr) break;
    const StudyRow row = *least;
    for (std::size_t i = 0; i < readers.size(); ++i) {
      const StudyRow* other = readers[i].row();
      if (other == nullptr || other->run != row.run) continue;
      if (other->hash() != row.hash()) {
        error = fmt::format("run {} is not the same in {} and {}: one of them is damaged, or its program was not the "
                            "one that it names\nhelp: 'hilda sweep rerun {} FILE' shows which",
                            row.run, stores[whose], stores[i], row.run);
        return false;
      }
      readers[i].next();
    }
    if (row.run < head.runs) ++merged.rows;
    rows.push_back(row);
    if (!flush(1000)) break;
  }
  if (!flush(1) || !made->ok()) {
    error = made->error(), merged.unwritten = true;
    return false;
  }
  for (const auto& store : all)
    if (!store->ok()) {
      error = store->error();
      return false;
    }
  merged.missing = head.runs - merged.rows;
  made->settle();
  made.reset();
  if (file->commit()) return true;
  error = file->error(), merged.unwritten = true;
  return false;
}

} // namespace hilda::study

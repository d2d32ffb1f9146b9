// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/edit/edit_journal.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hilda::studio {
namespace {

std::optional<std::string> text_in(const Json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
}

namespace fs = std::filesystem;

std::string journal_path(const std::string& diagram) {
  const fs::path file(diagram);
  return (file.parent_path() / ("." + file.filename().string() + ".edits")).string();
}

/// By their way from the journal's folder, for that may be moved.
Json files_json(const std::vector<NewFile>& files, const fs::path& folder) {
  Json all = Json::array();
  for (const NewFile& each : files)
    all.push_back({{"path", fs::path(each.path).lexically_relative(folder).generic_string()}, {"text", each.text}});
  return all;
}

/// None where it is not what files_json writes: a file that an edit makes lies in the folder or below it.
std::optional<std::vector<NewFile>> files_in(const Json& line, const fs::path& folder) {
  std::vector<NewFile> files;
  for (const Json& each : line.value("files", Json::array())) {
    const auto path = text_in(each, "path"), text = text_in(each, "text");
    if (!path || !text) return std::nullopt;
    const fs::path way = fs::path(*path).lexically_normal();
    if (way.empty() || way.is_absolute() || *way.begin() == "..") return std::nullopt;
    files.push_back({(folder / way).string(), *text});
  }
  return files;
}

/// None where the line is not one of ours: it was cut off.
std::optional<JournalRecord::Entry> entry_of(const Json& line, const fs::path& folder) {
  if (const auto text = text_in(line, "text")) {
    auto files = files_in(line, folder);
    if (!files) return std::nullopt;
    return JournalRecord::Entry{{}, *text, std::move(*files)};
  }
  const auto found = line.find("operations");
  if (found == line.end() || !found->is_array() || found->empty()) return std::nullopt;
  JournalRecord::Entry entry;
  for (const Json& operation : *found) {
    Words words;
    if (!operation.is_array()) return std::nullopt;
    for (const Json& word : operation) {
      if (!word.is_string()) return std::nullopt;
      words.push_back(word.get<std::string>());
    }
    entry.operations.push_back(std::move(words));
  }
  return entry;
}

} // namespace

EditJournal::EditJournal(const std::string& diagram) : path_(journal_path(diagram)) {}

EditJournal::~EditJournal() { close(); }

void EditJournal::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

bool EditJournal::is_there(const std::string& diagram) {
  std::error_code error;
  return fs::is_regular_file(journal_path(diagram), error);
}

bool EditJournal::hold() {
  if (file_ >= 0) return true;
  const int file = ::open(path_.c_str(), O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return errno == ENOENT; // there is none; anyone who writes first holds it
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    ::close(file);
    return false;
  }
  struct stat info {};
  if (::fstat(file, &info) == 0 && info.st_nlink == 0) { // who held it has just removed it
    ::close(file);
    return true;
  }
  file_ = file;
  return true;
}

std::optional<JournalRecord> EditJournal::left() const {
  if (file_ < 0 || begun_) return std::nullopt;
  std::ifstream stream(path_, std::ios::binary);
  const fs::path folder = fs::path(path_).parent_path();
  JournalRecord record;
  bool first = true;
  for (std::string text; std::getline(stream, text);) {
    const Json line = Json::parse(text, nullptr, false);
    if (!line.is_object()) {
      record.whole = false;
      break;
    }
    if (first) {
      const auto base = text_in(line, "base");
      if (!base) {
        record.whole = false;
        break;
      }
      record.base = *base;
      first = false;
      continue;
    }
    auto entry = entry_of(line, folder);
    if (!entry) {
      record.whole = false;
      break;
    }
    record.entries.push_back(std::move(*entry));
  }
  if (record.whole && record.entries.empty()) return std::nullopt;
  return record;
}

bool EditJournal::write(const Json& line) {
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(file_, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

bool EditJournal::add(const std::string& base, const JournalRecord::Entry& entry) {
  if (!begun_) {
    if (file_ < 0) {
      file_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
      if (file_ < 0) return false;
      if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
        close();
        return false;
      }
    }
    if (::ftruncate(file_, 0) != 0) return false;
    begun_ = true;
    if (!write({{"hilda", "journal of edits"}, {"base", base}})) return false;
  }
  if (entry.operations.empty())
    return write({{"text", entry.text}, {"files", files_json(entry.files, fs::path(path_).parent_path())}});
  return write({{"operations", entry.operations}});
}

void EditJournal::remove() {
  begun_ = false;
  if (file_ < 0) return;
  ::unlink(path_.c_str());
  close();
}

std::string EditJournal::set_aside() {
  begun_ = false;
  if (file_ < 0) return {};
  std::error_code error;
  std::string kept = path_ + ".kept";
  for (int i = 2; fs::exists(kept, error); ++i) kept = path_ + ".kept" + std::to_string(i);
  fs::rename(path_, kept, error);
  close();
  return error ? std::string() : kept;
}

} // namespace hilda::studio

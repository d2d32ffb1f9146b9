// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/export_mat.h"

#include "engine/log/export_selection.h"
#include "engine/log/frame_layout.h"
#include "engine/log/mat_file.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

namespace hilda::log {
namespace {

constexpr std::uint64_t largest_variable = (std::uint64_t{1} << 31U) - (1U << 20U);
constexpr std::size_t buffered_bytes = std::size_t{64} << 20U; ///< of all columns together

MatArray::Class class_of(LogElement element) {
  switch (element) {
  case LogElement::f64: return MatArray::Class::real;
  case LogElement::i64: return MatArray::Class::i64;
  case LogElement::u64: return MatArray::Class::u64;
  case LogElement::boolean: break;
  }
  return MatArray::Class::u8;
}

/// Bytes of each sample that follow one another in the file: an element of a table, a whole matrix.
struct MatColumn {
  std::size_t from = 0, bytes = 0; ///< in a sample
  bool time = false;               ///< the sample's time instead of its bytes
  const MatArray* array = nullptr;
  std::uint64_t start = 0; ///< behind the array's place
  std::uint64_t done = 0;  ///< bytes that are written
  std::string pending{};
};

/// The structure of a block, from its path's names.
MatTree& tree_at(MatTree& root, const std::string& path) {
  MatTree* tree = &root;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    tree = &tree->child(path.substr(start, dot - start));
    start = dot + 1;
  }
  return *tree;
}

/// What follows a signal's field name in the name it was asked by, with the field's name.
std::string leaf_name(const LogField& field, const SignalPlace& place) {
  if (place.elements.count == field.elements()) return field.name;
  const std::string first = field.name + element_suffix(field, place.elements.first);
  return place.elements.count == 1 ? first : first.substr(0, first.rfind('.'));
}

class MatExport {
public:
  MatExport(Log& log, OutputFile& file) : log_(log), file_(file), mat_(file) {}

  bool run(const std::vector<std::string>& names, std::string& error) {
    count_samples(names);
    for (const std::string& name : names) add_signal(*log_.find(name));
    add_metadata();
    if (!fits(error)) return false;
    std::uint64_t bytes = 0;
    for (const MatTree::Entry& entry : root_.entries()) bytes += bytes_of(entry);
    if (file_.room_for(bytes) && mat_.lay_out(root_) && write_numbers() && file_.commit()) return true;
    error = mat_.error().empty() ? file_.error() : mat_.error();
    return false;
  }

private:
  void count_samples(const std::vector<std::string>& names) {
    const std::size_t channels = log_.schema().channels.size();
    samples_.assign(channels, 0);
    columns_.resize(channels);
    blocks_.assign(channels, nullptr);
    log_.rewind();
    Log::Sample sample;
    while (!names.empty() && log_.next(sample)) ++samples_[sample.channel];
  }

  void add_signal(const SignalPlace& place) {
    const LogChannel& channel = log_.schema().channels[place.channel];
    const LogField& field = channel.fields[place.field];
    const std::uint64_t samples = samples_[place.channel];
    std::vector<MatColumn>& columns = columns_[place.channel];
    if (blocks_[place.channel] == nullptr) {
      blocks_[place.channel] = &tree_at(root_, channel.path);
      const MatArray& time = blocks_[place.channel]->add("time", {MatArray::Class::real, false, {samples, 1}, {}});
      columns.push_back({.bytes = sizeof(double), .time = true, .array = &time});
    }
    MatTree& block = *blocks_[place.channel];
    const bool matrix = field.rows > 1 && field.cols > 1 && place.elements.count == field.elements();
    const std::uint64_t count = place.elements.count;
    MatArray array{class_of(field.element), field.element == LogElement::boolean, {samples, count}, {}};
    if (matrix) array.size = {static_cast<std::uint64_t>(field.rows), static_cast<std::uint64_t>(field.cols), samples};
    const std::string name = leaf_name(field, place);
    const MatArray& added = block.add(name, std::move(array));
    if (!field.unit.empty()) block.child("units").add_text(name, field.unit);

    const std::size_t width = element_bytes(field.element);
    const std::size_t from = sample_layout(channel).offsets[place.field] + place.elements.first * width;
    if (matrix) return columns.push_back({.from = from, .bytes = count * width, .array = &added});
    for (std::uint64_t e = 0; e < count; ++e)
      columns.push_back({.from = from + e * width, .bytes = width, .array = &added, .start = e * samples * width});
  }

  void add_metadata() {
    MatTree& about = root_.child("hilda_log");
    const Rational& period = log_.schema().period;
    about.add_text("period", std::to_string(period.numerator()) + "/" + std::to_string(period.denominator()) + " s");
    for (const auto& [key, value] : log_.schema().metadata) about.add_text(key, value);
  }

  bool fits(std::string& error) const {
    for (const MatTree::Entry& entry : root_.entries()) {
      if (bytes_of(entry) <= largest_variable) continue;
      error = "\"" + entry.name +
              "\" has more than the 2 GB that a variable of a MAT file can hold; name fewer signals, "
              "or export to CSV";
      return false;
    }
    return true;
  }

  /// One pass over the log: what lies together in a sample goes to as many places of the file as it has columns.
  bool write_numbers() {
    std::size_t count = 1;
    for (const auto& columns : columns_) count += columns.size();
    const std::size_t most = std::clamp<std::size_t>(buffered_bytes / count, 256, 1 << 16);
    log_.rewind();
    Log::Sample sample;
    while (log_.next(sample)) {
      const double time = seconds_at(log_.schema().period, sample.tick);
      for (MatColumn& column : columns_[sample.channel]) {
        const void* from = column.time ? static_cast<const void*>(&time) : sample.data.data() + column.from;
        column.pending.append(static_cast<const char*>(from), column.bytes);
        if (column.pending.size() >= most && !put(column)) return false;
      }
    }
    for (auto& columns : columns_)
      for (MatColumn& column : columns)
        if (!put(column)) return false;
    return true;
  }

  bool put(MatColumn& column) {
    const bool written = mat_.put(column.array->place + column.start + column.done, column.pending);
    column.done += column.pending.size();
    column.pending.clear();
    return written;
  }

  Log& log_;
  OutputFile& file_;
  MatFile mat_;
  MatTree root_;
  std::vector<std::uint64_t> samples_;          ///< by channel
  std::vector<std::vector<MatColumn>> columns_; ///< by channel
  std::vector<MatTree*> blocks_;                ///< by channel; null: nothing of it is required
};

} // namespace

bool export_mat(Log& log, OutputFile& file, const std::vector<std::string>& words, std::string& error) {
  const auto names = selected_signals(log, words, error);
  return names && MatExport(log, file).run(*names, error);
}

bool export_mat(Log& log, const std::string& path, const std::vector<std::string>& words, std::string& error) {
  OutputFiles files;
  const auto file = files.open(path, OutputKind::file, FileContent::mat);
  if (!file) error = files.error();
  return file && export_mat(log, *file, words, error);
}

} // namespace hilda::log

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/export_csv.h"

#include "engine/log/export_selection.h"
#include "engine/log/frame_layout.h"

#include <array>
#include <charconv>
#include <cstring>

namespace hilda::log {
namespace {

constexpr std::size_t buffer_bytes = 1 << 16;

/// An element of a channel's sample that has its own column.
struct CsvColumn {
  std::size_t column, offset;
  LogElement element;
};

template <typename Number> void print(std::string& text, const std::byte* from) {
  Number number{};
  std::memcpy(&number, from, sizeof number);
  std::array<char, 32> digits;
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void print_element(std::string& text, const std::byte* from, LogElement element) {
  switch (element) {
  case LogElement::f64: return print<double>(text, from);
  case LogElement::i64: return print<std::int64_t>(text, from);
  case LogElement::u64: return print<std::uint64_t>(text, from);
  case LogElement::boolean: text += *from != std::byte{0} ? '1' : '0';
  }
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// The table's header, and by channel which of its elements go into which column.
std::string lay_out(const Log& log, const std::vector<std::string>& names,
                    std::vector<std::vector<CsvColumn>>& columns) {
  columns.resize(log.schema().channels.size());
  std::string header = "time [s]";
  std::size_t count = 0;
  for (const std::string& name : names) {
    const SignalPlace place = *log.find(name);
    const LogChannel& channel = log.schema().channels[place.channel];
    const LogField& field = channel.fields[place.field];
    const std::size_t start = sample_layout(channel).offsets[place.field];
    for (std::size_t e = place.elements.first; e < place.elements.first + place.elements.count; ++e) {
      columns[place.channel].push_back({count++, start + e * element_bytes(field.element), field.element});
      const std::string unit = field.unit.empty() ? "" : " [" + field.unit + "]";
      header += "," + quoted(channel.path + "." + field.name + element_suffix(field, e) + unit);
    }
  }
  return header + "\n";
}

std::size_t count_of(const std::vector<std::vector<CsvColumn>>& columns) {
  std::size_t count = 0;
  for (const auto& channel : columns) count += channel.size();
  return count;
}

} // namespace

bool export_csv(Log& log, OutputFile& file, const CsvOptions& options, std::string& error) {
  const auto names = selected_signals(log, options.signals, error);
  if (!names) return false;
  std::vector<std::vector<CsvColumn>> columns;
  std::string text = lay_out(log, *names, columns);
  std::vector<std::string> row(count_of(columns));

  Log::Sample sample;
  std::int64_t tick = 0;
  bool any = false;
  const auto end_row = [&] {
    const double time = seconds_at(log.schema().period, tick);
    print<double>(text, reinterpret_cast<const std::byte*>(&time));
    for (std::string& cell : row) {
      text += ',';
      text += cell;
      if (!options.hold) cell.clear();
    }
    text += '\n';
    if (text.size() < buffer_bytes) return;
    file.write(text);
    text.clear();
  };
  log.rewind();
  while (!file.failed() && log.next(sample)) {
    if (columns[sample.channel].empty()) continue;
    if (any && sample.tick != tick) end_row();
    any = true;
    tick = sample.tick;
    for (const CsvColumn& column : columns[sample.channel]) {
      row[column.column].clear();
      print_element(row[column.column], sample.data.data() + column.offset, column.element);
    }
  }
  if (any) end_row();
  if (file.write(text) && file.commit()) return true;
  error = file.error();
  return false;
}

bool export_csv(Log& log, const std::string& path, const CsvOptions& options, std::string& error) {
  OutputFiles files;
  const auto file = files.open(path, OutputKind::text, FileContent::table);
  if (!file) error = files.error();
  return file && export_csv(log, *file, options, error);
}

} // namespace hilda::log

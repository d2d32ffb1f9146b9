// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/export_rows.h"

#include "engine/log/mat_file.h"
#include "engine/quantity/value.h"

#include <cmath>

namespace hilda::study {
namespace {

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) c == '"' ? quoted += "\"\"" : quoted += c;
  return quoted + "\"";
}

std::string csv_number(double number) { return std::isnan(number) ? std::string() : decimal(number); }

std::string csv_name(const StoreHead::Column& column) {
  return csv_text(column.name + (column.unit.empty() ? "" : " [" + column.unit + "]"));
}

std::string bytes_of(const std::vector<double>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

} // namespace

bool export_csv(Store& store, OutputFile& file, std::string& error) {
  const StoreHead& head = store.head();
  std::string text = "run";
  for (const StoreHead::Column& column : head.coordinates) text += "," + csv_name(column);
  for (const StoreHead::Column& column : head.figures) text += "," + csv_name(column);
  text += ",ending,cause,block,signal,time [s],steps\n";
  const bool read = store.each([&](const StudyRow& row) {
    text += std::to_string(row.run);
    for (std::size_t i = 0; i < row.coordinates.size(); ++i)
      text += "," + (head.coordinates[i].numeric ? csv_number(row.coordinates[i].number)
                                                 : csv_text(row.coordinates[i].label));
    for (const double figure : row.figures) text += "," + csv_number(figure);
    for (const std::string* word : {&row.ending, &row.cause, &row.block, &row.signal}) text += "," + csv_text(*word);
    text += "," + csv_number(row.time) + "," + std::to_string(row.steps) + "\n";
    if (text.size() < 1 << 16) return true;
    const bool written = file.write(text);
    text.clear();
    return written;
  });
  if (!file.write(text) || file.failed()) error = file.error();
  if (!read && !store.ok()) error = store.error();
  return error.empty();
}

bool export_mat(Store& store, OutputFile& file, std::string& error) {
  const StoreHead& head = store.head();
  const auto rows = static_cast<std::uint64_t>(store.rows());
  MatTree root;
  std::string names, units;
  const auto column = [&](const std::string& name) -> MatArray& {
    MatArray array;
    array.size = {rows, 1};
    return root.add(name, array);
  };
  std::vector<MatArray*> places = {&column("run")};
  std::vector<std::vector<std::string>> words; // of coordinates that are words: numbered, with a text of the words
  for (const StoreHead::Column& each : head.coordinates) places.push_back(&column(each.name));
  for (const StoreHead::Column& each : head.figures) places.push_back(&column(each.name));
  places.push_back(&column("failed"));
  places.push_back(&column("time"));
  words.resize(head.coordinates.size());
  // Words are known once all rows have been looked at, and texts are in the heads.
  store.each([&](const StudyRow& row) {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (!head.coordinates[i].numeric &&
          std::find(words[i].begin(), words[i].end(), row.coordinates[i].label) == words[i].end())
        words[i].push_back(row.coordinates[i].label);
    return true;
  });
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string all;
    for (const std::string& word : words[i]) all += (all.empty() ? "" : " ") + word;
    if (!head.coordinates[i].numeric) root.add_text(head.coordinates[i].name + "_words", all);
  }
  for (const StoreHead::Column& each : head.coordinates)
    if (!each.unit.empty()) root.add_text(each.name + "_unit", each.unit);
  for (const StoreHead::Column& each : head.figures)
    if (!each.unit.empty()) root.add_text(each.name + "_unit", each.unit);
  MatFile mat(file);
  const auto fail = [&] {
    error = mat.error();
    return false;
  };
  if (!mat.lay_out(root)) return fail();
  constexpr std::size_t piece = 4096;
  std::vector<std::vector<double>> columns(places.size());
  std::uint64_t done = 0;
  const auto flush = [&] {
    bool written = true;
    for (std::size_t c = 0; c < columns.size(); ++c)
      written = written && mat.put(places[c]->place + done * sizeof(double), bytes_of(columns[c]));
    done += columns.front().size();
    for (std::vector<double>& each : columns) each.clear();
    return written;
  };
  bool written = true;
  const bool read = store.each([&](const StudyRow& row) {
    std::size_t c = 0;
    columns[c++].push_back(static_cast<double>(row.run));
    for (std::size_t i = 0; i < row.coordinates.size(); ++i) {
      double number = row.coordinates[i].number;
      if (!head.coordinates[i].numeric) // from 1, as MATLAB counts
        number = 1 + static_cast<double>(std::find(words[i].begin(), words[i].end(), row.coordinates[i].label) -
                                         words[i].begin());
      columns[c++].push_back(number);
    }
    for (const double figure : row.figures) columns[c++].push_back(figure);
    columns[c++].push_back(row.failed() ? 1 : 0);
    columns[c].push_back(row.time);
    if (columns.front().size() == piece) written = flush();
    return written;
  });
  if (!read) error = store.error();
  return read && written && flush() ? true : (error.empty() ? fail() : false);
}

} // namespace hilda::study

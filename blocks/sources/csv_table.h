// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace hilda {

/// Numbers from a file of comma- or semicolon-separated values, read without regard to locale.
struct CsvTable {
  std::vector<std::string> names;           ///< of the columns; empty without a header line
  std::vector<std::vector<double>> columns; ///< all of the same length

  std::size_t rows() const { return columns.empty() ? 0 : columns[0].size(); }
};

/// Reads a whole file. Lines that are empty or begin with # are passed over; the first other line may name the columns.
/// @throws std::runtime_error with the line at fault and what to do: no numbers, a broken number, a line of another
/// length.
CsvTable read_csv(const std::string& path);

/// Indices of columns from a list "force_x force_y", "my force, x" or "1 2" (counted from 0), or the name of one;
/// empty: all but the first.
/// @throws std::runtime_error for a name or number that is not there
std::vector<std::size_t> choose_columns(const CsvTable& table, const std::string& list);

} // namespace hilda

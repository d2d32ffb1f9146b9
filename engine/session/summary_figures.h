// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hilda::run {
class Runtime;
}

namespace hilda::session {

/// What a block had to say after the run, by "hilda.summary/1".
struct SummaryFigure {
  std::string block; ///< path
  std::string key;   ///< "identified.stiffness"
  std::variant<double, std::string> value;
  std::string unit; ///< "" where it has none
};

/// One row of a table.
struct SummaryRow {
  std::string block, table;
  std::vector<SummaryFigure> columns;
};

/// A table that a block has, whether or not it has rows.
struct SummaryTable {
  std::string block, name;
};

/// What makes a block's figures doubtful.
struct SummaryWarning {
  std::string block, text;
};

/// All that the blocks say, block by block in the diagram's order.
struct SummaryFigures {
  std::vector<SummaryFigure> figures;
  std::vector<SummaryTable> tables;
  std::vector<SummaryRow> rows;
  std::vector<SummaryWarning> warnings;
  std::vector<std::string> problems; ///< blocks that throw where they should speak
};

/// Asks every block. To be called after the run was stopped.
SummaryFigures gather_figures(const Runtime& runtime);

/// Of figures that two blocks give by one name, where each of them is, in sentences.
std::vector<std::string> shared_figures(const SummaryFigures& figures);

/// The tables as people read them: a title, aligned columns with names and units, a row each. Numbers have 4 digits;
/// "-" stands for what is not available.
std::string table_text(const SummaryFigures& figures);

/// The single figures that are neither texts nor in a table, a line each: "identified stiffness  176280 N/m".
std::string figure_text(const SummaryFigures& figures);

} // namespace hilda::session

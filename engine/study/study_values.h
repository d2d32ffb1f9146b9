// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"
#include "engine/quantity/value.h"
#include "engine/study/detail/written/study.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::study {

/// One number with its unit, in SI; none after a report. Codes: study-number and those of values.
struct StudyNumber {
  double number = 0;
  std::string unit = {};    ///< SI; empty: bare
  WrittenUnit written = {}; ///< the unit in the file
};
std::optional<StudyNumber> read_number(const Attribute& text, Diagnostics& diagnostics);

/// A whole number from `least` to `most`; none after a report. Code: study-count.
std::optional<std::int64_t> read_count(const Attribute& text, std::int64_t least, std::int64_t most,
                                       Diagnostics& diagnostics);

/// As a setting takes it, so that the same bits come back: "0.012 s".
std::string setting_text(double number, const std::string& unit);

/// To 12 digits: 0.04*3/40 is 0.003, as it would be written.
double rounded(double number);

/// The values that a list gives one by one: numbers with a unit, words, or rows of vectors. Reports what is none.
void read_list(const Attribute& list, StudyAxis& into, Diagnostics& diagnostics);

/// Values between two ends. Code: study-range.
void spread(StudyAxis& axis, std::int64_t count, const Attribute& at, Diagnostics& diagnostics);

} // namespace hilda::study

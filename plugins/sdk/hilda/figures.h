// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_FIGURES_H
#define HILDA_FIGURES_H

// More that a block can say in `summarize`, in the terms of "hilda.summary/1".

#include <hilda/block.h>
#include <string>

namespace hilda {
inline namespace sdk1 {

/// There is a table of this name, even if it gets no row: the summary then has an empty list.
inline void declare_table(const Summary& summary, const char* table) {
  summary.begin_row(table);
  summary.end_row();
}

/// Why the figures are doubtful, with numbers and what to do about it: shown next to them, on the terminal too.
inline void warn(const Summary& summary, const std::string& text) {
  summary.begin_row("warnings");
  summary.text("text", text.c_str());
  summary.end_row();
}

} // namespace sdk1
} // namespace hilda

#endif

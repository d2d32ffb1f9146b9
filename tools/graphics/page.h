// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/comparison.h"
#include "engine/log/log.h"
#include "tools/graphics/detail/report/page_signal.h"
#include "tools/modules.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hilda::graphics::report {

/// A run that the page shows.
struct PageRun {
  std::string name, file;
  Log log;
};

struct PageOptions {
  std::string diagram;                      ///< SVG of the diagram; empty: there is none
  std::string why_no_diagram;               ///< what the page says then
  std::vector<std::string> sinks;           ///< signals that blocks without outputs take: what the diagram is about
  std::vector<Tolerance> tolerances;        ///< of the comparison of the first run with the others
  std::map<std::string, std::string> units; ///< of the diagram's parameters, by path: "N/m"; those without are left out
  SignalLimits limits;                      ///< longer signals are thinned
};

/// A page that holds all that it shows: no network, no other file. None, and `error`, where a log cannot be read.
std::optional<std::string> page_html(std::vector<PageRun>& runs, const PageOptions& options, std::string& error);

/// Why the page's plots are static: what was lacking when this program was built (cmake/bundle_page.cmake). Empty:
/// they zoom and show values.
std::string page_lacks();

/// The text of a file that is built into the program: those of tools/graphics/detail/report/page, and of the bundle of
/// npm's packages "plots.js", "plots.css", "licences.txt" and "lacking.txt".
std::string page_asset(const std::string& name);

} // namespace hilda::graphics::report

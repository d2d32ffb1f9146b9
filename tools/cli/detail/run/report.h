// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/simulation.h"
#include "engine/session/summary_document.h"
#include "engine/session/summary_figures.h"
#include "tools/modules.h"

namespace hilda::cli {

/// Tables and single figures of the blocks, on stdout.
void print_figures(const SummaryFigures& figures);
/// Where the energy came from, on stdout; nothing where the diagram has no power ports with elements.
void print_account(const Ledger& ledger);
/// How and when the run ended, how many steps and how fast, on stdout.
void print_result(const Runtime& runtime, const SimulationResult& result);
/// When, where and why a run failed, on stderr.
void print_failure(const Ending& ending);

} // namespace hilda::cli

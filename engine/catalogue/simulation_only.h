#pragma once

/// A flag of a block type, next to those of hilda/flags.h, which plugins do not use: never in a run that touches
/// devices, and no option lets it. The loop functions of the type run an interpreter.
#define HILDA_SIMULATION_ONLY (1u << 7)

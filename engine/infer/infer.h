#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/model/system.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hilda {

/// What a block's `infer` callback says about its shapes.
struct InferredShapes {
  struct Dimension {
    std::string name;
    std::int64_t value;
  };
  struct Item {
    std::string slot;
    std::uint64_t index;
    std::int64_t rows, cols;
  };
  std::vector<Dimension> dimensions;
  std::vector<Item> items;
};

/// Runs the `infer` callback of one block on a record of its own, its parameters set. False after a report.
using InferenceHook = std::function<bool(const System& system, BlockIndex block, InferredShapes& says, Diagnostics&)>;

/// Finds out what a flattened system leaves open and checks that it goes together:
///   - SystemBlock::ports and slot_types, Wire::offset and type: shapes, units, elements and named kinds, unified over
///     the wires in both directions and around cycles;
///   - parameters in SI and in the shape of their slot;
///   - sample times: SystemBlock::divider and continuous, System::base.
/// All errors are reported, one for each cause. Blocks without a type and wires without an end (reported by who made
/// them) are passed over. Where there were errors, what could not be found out stays unknown (-1, no unit).
/// @param hook  for types with an `infer` callback; without it their callbacks are not asked
void infer(System& system, Diagnostics& diagnostics, const InferenceHook& hook = {});

/// "wrench", "3 [m/s]", "6x6 [1]", "scalar [N]", "boolean"; "?" for what is not known.
std::string describe(const SignalType& type);
/// "1 ms", "continuous"
std::string rate_text(const System& system, const SystemBlock& block);
/// 1/1000: "1 ms"
std::string time_text(const Rational& seconds);
/// The port that is meant, or null.
SystemBlock::Port* find_port(SystemBlock& block, const PortRef& ref);
const SystemBlock::Port* find_port(const SystemBlock& block, const PortRef& ref);

} // namespace hilda

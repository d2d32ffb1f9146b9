#pragma once

#include "engine/check/flatten.h"
#include "engine/check/wire_ends.h"

#include <functional>
#include <map>
#include <tuple>

namespace hilda {

/// The signal of a `when`, found as conditions are; block -1 after a report.
using FindCondition = std::function<PortRef(const Instance& at, const Attribute& when)>;

/// Reads `<log>` and `<figure>` of all diagrams into System::logs and System::figures. What they name is looked up
/// once all ports are known (find_observed). Names of elements that only another mode has are left out.
/// Codes: log-signal, bad-time, and those of values and conditions.
void bind_observed(Flattened& flat, WireEnds& ends, FlattenContext& context, const FindCondition& condition);

/// Which samples of a signal a log keeps.
struct KeptSamples {
  bool any = true;               ///< false: none
  std::int64_t divider = 1;      ///< base ticks from one to the next
  const LogRule* rule = nullptr; ///< null: no `<log>` says anything about it
};

/// What the `<log>` elements of a system say about its signals. The outermost diagram that has such elements decides
/// for all signals in it; what none of them names is not recorded, and of several the last counts.
class LogSelection {
public:
  /// The system must outlive it.
  explicit LogSelection(const System& system);

  KeptSamples of_output(int block, int slot, int item) const;
  KeptSamples of_power_port(std::size_t port) const;
  /// Does any element say what is recorded?
  bool empty() const { return system_.logs.empty(); }

private:
  KeptSamples kept(const LogRule* rule, const std::string& path, std::int64_t own) const;

  const System& system_;
  std::map<std::tuple<int, int, int>, const LogRule*> outputs_;
  std::map<std::size_t, const LogRule*> power_ports_;
};

} // namespace hilda

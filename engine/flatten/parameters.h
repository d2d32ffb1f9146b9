#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/value/value.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hilda {

class Parameters;

/// Who is being evaluated on whose behalf: finds cycles, and bounds how deep parameters may refer to one another and
/// how much `${}` may make of a small file.
struct Evaluation {
  struct Step {
    const Parameters* owner;
    std::size_t index;
  };
  std::vector<Step> open;
  Diagnostics& diagnostics;
  std::size_t bytes = 0; ///< of all values that came from `${}`
  /// Names that may still be looked through for near misses: many wrong names among many right ones shall not cost
  /// time.
  std::size_t names_left = 4'000'000;

  /// Reads a value; none where that fails, which is reported. Codes: value-too-large and those of expressions.
  std::optional<Value> read(const std::string& text, Location where, const Parameters& scope);
};

/// The parameters of one use of a diagram, evaluated when first asked for.
///
/// `${name}` finds the parameter of the same diagram; in the body of an inline subsystem also those of the diagram
/// around it. `${period}` is the period of the whole system everywhere.
class Parameters : public Scope {
public:
  struct Entry {
    std::string name;
    std::string text; ///< as declared, forwarded or set
    std::string doc;
    Location where;                    ///< of the text
    bool missing = false;              ///< there is no text
    const Parameters* reads = nullptr; ///< where the names in the text are looked up
    std::string path;                  ///< for people: "rig.stiffness"
    Location element = {};             ///< where the subsystem stands that has it; no place: the diagram
  };

  /// `around`: where names that are not found here are looked up, or null. `top`: of the top diagram, null for itself.
  Parameters(Evaluation& evaluation, const Parameters* around, const Parameters* top)
      : evaluation_(evaluation), around_(around), top_(top == nullptr ? this : top) {}

  void add(Entry entry);
  std::size_t size() const { return entries_.size(); }
  const Entry& entry(std::size_t index) const { return entries_[index]; }
  /// The entry of this name, or null.
  Entry* own(const std::string& name);

  /// Evaluates; null where that fails, which is reported at the parameter once.
  const Value* value(std::size_t index) const;

  Outcome<const Value*> find(const std::string& name) const override;
  std::vector<std::string> names() const override;

  Evaluation& evaluation() const { return evaluation_; }

  /// Where the parameters stand that a text names, outermost first, and those that they name in turn; at most eight.
  std::vector<Location> origins(std::string_view text) const;

  /// Where the parameters stand that the unknown names of a text are near to.
  std::vector<Note> near_misses(std::string_view text) const;

private:
  enum class State { fresh, open, done, failed };
  struct Found {
    const Parameters* owner = nullptr;
    std::size_t index = 0;
  };
  Found look_up(const std::string& name) const;
  void report_cycle(std::size_t index) const;

  Evaluation& evaluation_;
  const Parameters* around_;
  const Parameters* top_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  mutable std::vector<State> states_;
  mutable std::vector<Value> values_;
};

} // namespace hilda

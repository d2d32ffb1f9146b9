// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <hilda/abi.h>
#include <optional>
#include <string>
#include <vector>

namespace hilda::catalogue {

/// Reads one slot of a plugin's descriptor. Every check adds its sentence, and reading continues, so that an author
/// sees all of them at once.
class SlotReader {
public:
  /// @param problems  takes the sentences, without the slot's name
  explicit SlotReader(std::vector<std::string>& problems) : problems_(problems) {}

  /// None where what follows could not be understood. `name` is set as soon as it is known: "input 'u'".
  std::optional<Slot> read(const hilda_slot& from, std::string& name);

private:
  void make_error(const std::string& what) { problems_.push_back(what); }
  bool known_enumerators(const hilda_slot& from);
  void check_flags(const Slot& slot);
  void read_shape(Slot& slot, const hilda_slot& from);
  void read_unit(Slot& slot, const hilda_slot& from);
  void read_choices(Slot& slot, const hilda_slot& from);
  void check_range(const Slot& slot);

  std::vector<std::string>& problems_;
};

} // namespace hilda::catalogue

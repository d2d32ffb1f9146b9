#include "engine/modes/sim/program_abilities.h"

#include "engine/recordings/recordings_ability.h"

#include <array>

namespace hilda {

std::span<const Ability> program_abilities() {
  static const std::array<Ability, 1> all{{{"hilda.recordings/1", &recordings_ability()}}};
  return all;
}

} // namespace hilda

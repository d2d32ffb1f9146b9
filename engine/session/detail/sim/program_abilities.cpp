// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/program_abilities.h"

#include "engine/log/recordings_ability.h"
#include "engine/plugin/descriptors_ability.h"

#include <array>

namespace hilda::session {

std::span<const Ability> program_abilities() {
  static const std::array<Ability, 2> all{
      {{"hilda.recordings/1", &recordings_ability()}, {"hilda.descriptors/1", &descriptors_ability()}}};
  return all;
}

} // namespace hilda::session

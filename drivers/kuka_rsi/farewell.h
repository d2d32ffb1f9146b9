// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/conversation.h"
#include "drivers/kuka_rsi/space_correction.h"

namespace hilda::kuka {

/// The last answers: they hold the robot where it is and ask it to end. Returns what became of it, for people.
/// @param answer   what moved the robot; null: nothing did, and `at_rest` is sent
/// @param stop     the stop channel's place in RECEIVE; negative: there is none
/// @param cycle    s
const char* say_farewell(Conversation& talk, SpaceCorrection& correction, SensorTelegram* answer,
                         SensorTelegram& at_rest, int stop, double cycle);

} // namespace hilda::kuka

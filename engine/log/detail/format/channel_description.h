// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log_format.h"
#include "engine/modules.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::log {

/// A channel of a log, and the how manieth of the run's channels it is.
struct NumberedChannel {
  LogChannel channel;
  std::int64_t number = 0;
};

/// The channels of a message as JSON text, as it is in the file's channel record: what its schema cannot say.
std::string describe_channels(std::span<const NumberedChannel> channels);
/// The channels again; none where the text is not such a description. In format 1 a message is of one channel, which
/// has no number: it gets `number`.
std::vector<NumberedChannel> channels_from_description(std::string_view text, std::int64_t number);

/// A map of texts as a JSON object, and back; none where it is something else.
std::string text_map_to_json(const std::map<std::string, std::string>& map);
std::optional<std::map<std::string, std::string>> text_map_from_json(std::string_view text);

} // namespace hilda::log

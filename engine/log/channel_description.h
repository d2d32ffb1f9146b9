#pragma once

#include "engine/log/log_format.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hilda {

/// A channel as JSON text, as it stands in the file's channel record: what the message's schema cannot say.
std::string describe_channel(const LogChannel& channel);
/// The channel again, or none where the text is not such a description.
std::optional<LogChannel> channel_from_description(std::string_view text);

/// A map of texts as a JSON object, and back; none where it is something else.
std::string text_map_to_json(const std::map<std::string, std::string>& map);
std::optional<std::map<std::string, std::string>> text_map_from_json(std::string_view text);

} // namespace hilda

#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace hilda::studio {

/// A client's text as a JSON object; discarded where it is none. So is what is nested deeper than 32 levels or has more
/// than 20,000 members, which no request needs: writing the one takes stack, and reading the other time.
nlohmann::ordered_json parse_request(const std::string& text);

} // namespace hilda::studio

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::studio {

/// Who may come in.
struct AccessRules {
  std::string token;                ///< letters, digits, '-', '_', '.' and '~'
  std::string address;              ///< that is listened on: "127.0.0.1", "::1", "0.0.0.0"
  unsigned port = 0;                ///< likewise
  std::vector<std::string> origins; ///< of pages of others that may come in: "https://app.foxglove.dev"
};

/// What a request says of itself.
struct Knock {
  std::string host, target, cookies;
  std::optional<std::string> origin;
};

/// What it is answered with, in HTTP's numbers.
enum class Answer : unsigned { welcome = 200, no_token = 401, foreign_page = 403, foreign_name = 421 };

/// The name by which it came must be this server's, so that no other name can be led here (DNS rebinding); a page of
/// others is refused whatever it has; then the token must be there, in the cookie or in the address.
Answer answer(const AccessRules& rules, const Knock& knock);

/// "secret" of "/?token=secret"; empty where there is none.
std::string token_in(const std::string& target);
/// "/page.js" of "/page.js?x=1".
std::string path_of(const std::string& target);
/// The line that makes a browser keep the token, for this port alone; scripts of the page do not see it.
std::string cookie_line(const AccessRules& rules);

/// 128 bits of the system's, as 32 digits.
std::string random_token();
/// What a person thought of must be as hard to guess: why it is not taken; empty: it is.
std::string fault_of_token(const std::string& token);

/// "http://127.0.0.1:8765"
std::string address_text(const AccessRules& rules);

} // namespace hilda::studio

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// One object of the RSI context on the robot: ETHERNET, POSCORR.
struct RsiObject {
  std::string type, id;                          ///< type in capitals
  std::map<std::string, std::string> parameters; ///< as in the file; what it leaves out has the vendor's default
  std::vector<std::string> inputs;               ///< IDs of the objects that its inputs are wired to

  std::optional<double> number(const std::string& name) const;
};

/// The RSI context: NAME.rsi.xml of RSI 3 and 4, NAME.rsix of RSI 5.
struct RsiContext {
  std::vector<RsiObject> objects;

  /// Null where there is none; the first of several.
  const RsiObject* object(const std::string& type) const;
  /// Is an output of the object with this ID wired to the object of this type?
  bool wired(const std::string& from_id, const std::string& to_type) const;
};

/// None, and a sentence in `problem`, where the file is not an RSI context.
std::optional<RsiContext> read_rsi_context(const std::string& path, std::string& problem);

} // namespace hilda::cli

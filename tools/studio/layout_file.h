// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/session.h"

#include <optional>
#include <string>

namespace hilda::studio {

/// Layouts of scopes in `.hilda/NAME.layouts.json` next to a diagram, so that they travel with it. Any program or
/// person may have written the file; it is read again for each request, and nothing outside of the diagram's folder is
/// read or written.
class LayoutFile {
public:
  /// @param diagram   its file
  /// @param writable  clients may keep layouts there
  LayoutFile(const std::string& diagram, bool writable);

  /// None: it is not a request about layouts.
  std::optional<Json> answer(const std::string& op, const Json& request) const;

private:
  static constexpr std::size_t most = 200, most_bytes = std::size_t{4} << 20;

  Json list() const;
  Json keep(const Json& request) const;
  Json drop(const Json& request) const;
  /// What the file has; `error`, with "\nhelp: ", where that cannot be had.
  Json read(std::string& error) const;
  Json write(const Json& layouts) const;
  Json shown(const Json& layouts) const;
  /// Its path with all links followed; empty, and `error`: it leads out of the diagram's folder.
  std::string place(std::string& error) const;

  std::string folder_, name_; ///< ".hilda/loop.layouts.json"
  bool writable_;
};

} // namespace hilda::studio

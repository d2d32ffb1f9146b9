// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/desks/page.h"

#include "tools/graphics/svg.h"

namespace hilda::studio {

std::string page_lacks() { return page_asset("lacking.txt"); }

std::string page_html() {
  const std::string why = page_lacks();
  if (why.empty()) return page_asset("index.html");
  std::string page = page_asset("lacking.html");
  const std::string place = "{{lacking}}";
  if (const std::size_t at = page.find(place); at != std::string::npos)
    page.replace(at, place.size(), svg::escaped(why));
  return page;
}

} // namespace hilda::studio

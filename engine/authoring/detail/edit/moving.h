// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/detail/edit/edit_context.h"
#include "engine/modules.h"

#include <string>

namespace hilda::authoring {

/// The bytes of an element, and of the remarks behind it on its line.
TextSpan with_remarks(const EditContext& context, const XmlNode& body, const XmlNode& node);
/// Takes out an element that is put elsewhere, with those remarks.
void take_out(const EditContext& context, const XmlNode& body, const XmlNode& node, TextEdit& edit);

/// Some bytes of the file, with every line after the first indented by `more`, or by as much less as `less` is long.
/// Line ends within values of attributes do not count.
std::string indented(const EditContext& context, TextSpan what, const std::string& more, const std::string& less);

} // namespace hilda::authoring

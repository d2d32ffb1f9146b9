// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::authoring {

struct SchemaOptions {
  /// Names of editors' attributes and of those that drawing reads, without `ui.`: neither language can say "whatever
  /// begins with ui.".
  std::vector<std::string> editor_attributes = {"row",    "column",   "draw", "x",      "y",     "width",
                                                "height", "rotation", "flip", "colour", "color", "collapsed",
                                                "route",  "label",    "note", "bend"};
};

/// The format of diagrams and overlays as RELAX NG (ISO/IEC 19757-2, XML syntax, datatypes of XML Schema): every block
/// type of the catalogue with its parameters, their values and their documentation. Equal catalogues give equal text.
std::string relax_ng(const Catalogue& catalogue, const SchemaOptions& options = {});

/// The same as XML Schema 1.0, which has no content that depends on an attribute's value: the parameters of all types
/// are possible in every block and none is required, and a subsystem's body is not compared with its `src`.
std::string xml_schema(const Catalogue& catalogue, const SchemaOptions& options = {});

} // namespace hilda::authoring

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/attributes.h"
#include "engine/diagram/diagram.h"
#include "engine/modules.h"

#include <memory>
#include <string_view>

namespace hilda::diagram {

class DiagramReader;

/// Reads the elements of one file. A malformed element is reported and kept as far as it was understood, so that the
/// wires to it cause no further errors.
class ElementReader {
public:
  ElementReader(const XmlContext& context, DiagramReader& includes) : context_(context), includes_(includes) {}

  /// `<diagram>`: codes format-missing, format-unsupported and those below.
  std::shared_ptr<const DiagramDecl> diagram(const ParsedNode& root);

private:
  void body(const ParsedNode& parent, DiagramDecl& into, int depth);
  void child(const ParsedNode& element, std::string_view tag, DiagramDecl& into, int depth);
  void parameter(const ParsedNode&, DiagramDecl&);
  void port(const ParsedNode&, DiagramDecl&, bool input);
  void block(const ParsedNode&, DiagramDecl&);
  void subsystem(const ParsedNode&, DiagramDecl&, int depth);
  void connect(const ParsedNode&, DiagramDecl&);
  void power_port(const ParsedNode&, DiagramDecl&);
  void limits(const ParsedNode&, DiagramDecl&);
  void quality(const ParsedNode&, DiagramDecl&);
  void realtime(const ParsedNode&, DiagramDecl&);
  void log(const ParsedNode&, DiagramDecl&);
  void live(const ParsedNode& element, DiagramDecl& into);
  void figure(const ParsedNode&, DiagramDecl&);
  template <const ElementKind& Kind> void annotation(const ParsedNode&);

  void block_children(const ParsedNode&, std::vector<ChildDecl>& into, std::size_t within);
  void refuse_children(const ParsedNode&);
  void refuse_child(const ParsedNode& inner, const ParsedNode& element);
  void refuse_content(const ParsedNode&, const ParsedNode& parent);
  void check_annotation_names(const ParsedNode& body, const DiagramDecl& read);
  bool check_name(std::string_view name, Location where, bool dotted);
  void check_mode(const AttributeReader&, std::size_t index);
  void check_word(const AttributeReader&, std::size_t index, std::span<const std::string_view> allowed);

  const XmlContext& context_;
  DiagramReader& includes_;
};

} // namespace hilda::diagram

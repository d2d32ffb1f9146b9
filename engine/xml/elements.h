#pragma once

#include "engine/model/diagram.h"
#include "engine/xml/attributes.h"

#include <memory>
#include <string_view>

namespace tinyxml2 {
class XMLElement;
class XMLNode;
} // namespace tinyxml2

namespace hilda {

class DiagramReader;

/// Reads the elements of one file. A malformed element is reported and kept as far as it was understood, so that the
/// wires to it are no errors of their own.
class ElementReader {
public:
  ElementReader(const XmlContext& context, DiagramReader& includes) : context_(context), includes_(includes) {}

  /// `<diagram>`: codes format-missing, format-unsupported and those below.
  std::shared_ptr<const DiagramDecl> diagram(const tinyxml2::XMLElement& root);

private:
  void body(const tinyxml2::XMLElement& parent, DiagramDecl& into, int depth);
  void child(const tinyxml2::XMLElement& element, std::string_view tag, DiagramDecl& into, int depth);
  void parameter(const tinyxml2::XMLElement&, DiagramDecl&);
  void port(const tinyxml2::XMLElement&, DiagramDecl&, bool input);
  void block(const tinyxml2::XMLElement&, DiagramDecl&);
  void subsystem(const tinyxml2::XMLElement&, DiagramDecl&, int depth);
  void connect(const tinyxml2::XMLElement&, DiagramDecl&);
  void power_port(const tinyxml2::XMLElement&, DiagramDecl&);
  void limits(const tinyxml2::XMLElement&, DiagramDecl&);
  void quality(const tinyxml2::XMLElement&, DiagramDecl&);
  void realtime(const tinyxml2::XMLElement&, DiagramDecl&);
  void log(const tinyxml2::XMLElement&, DiagramDecl&);
  void live(const tinyxml2::XMLElement& element, DiagramDecl& into);
  void figure(const tinyxml2::XMLElement&, DiagramDecl&);

  void block_children(const tinyxml2::XMLElement&, std::vector<ChildDecl>& into, std::size_t within);
  void refuse_children(const tinyxml2::XMLElement&);
  void refuse_child(const tinyxml2::XMLElement& inner, const tinyxml2::XMLElement& element);
  void refuse_content(const tinyxml2::XMLNode&, const tinyxml2::XMLElement& parent);
  bool check_name(const std::string& name, Location where, bool dotted);
  void check_placed(const AttributeReader&);
  void check_mode(const AttributeReader&, std::size_t index);
  void check_word(const AttributeReader&, std::size_t index, std::span<const std::string_view> allowed);

  const XmlContext& context_;
  DiagramReader& includes_;
};

} // namespace hilda

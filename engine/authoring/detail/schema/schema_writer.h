// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <exception>
#include <string>
#include <tinyxml2.h>
#include <utility>
#include <vector>

namespace hilda::authoring::schema {

/// Writes elements that close when they go out of scope.
class SchemaWriter {
public:
  using Attributes = std::vector<std::pair<const char*, std::string>>;

  class Element {
  public:
    Element(SchemaWriter& writer, const char* name, const Attributes& attributes = {}) : printer_(writer.printer_) {
      printer_.OpenElement(name);
      for (const auto& attribute : attributes) printer_.PushAttribute(attribute.first, attribute.second.c_str());
    }
    /// Closing takes memory, so it may throw; where something was thrown already the text is lost anyway.
    ~Element() noexcept(false) {
      if (std::uncaught_exceptions() == thrown_) printer_.CloseElement();
    }
    Element(const Element&) = delete;
    Element& operator=(const Element&) = delete;

  private:
    tinyxml2::XMLPrinter& printer_;
    int thrown_ = std::uncaught_exceptions();
  };

  /// @param remark  is above everything
  explicit SchemaWriter(const char* remark) {
    printer_.PushDeclaration("xml version=\"1.0\" encoding=\"UTF-8\"");
    printer_.PushComment(remark);
  }

  void leaf(const char* name, const Attributes& attributes = {}, const std::string& text = {}) {
    const Element element(*this, name, attributes);
    if (!text.empty()) printer_.PushText(text.c_str());
  }
  std::string text() const { return printer_.CStr(); }

private:
  tinyxml2::XMLPrinter printer_;
};

} // namespace hilda::authoring::schema

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/diagram_editor.h"
#include "tests/modules.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace hilda::test {

/// The words of "connect a.y b.u"; "\_" is a blank within one.
inline Words words(const std::string& text) {
  std::istringstream stream(text);
  Words all;
  for (std::string word; stream >> word; all.push_back(word))
    for (std::size_t at = word.find("\\_"); at != std::string::npos; at = word.find("\\_")) word.replace(at, 2, " ");
  return all;
}

/// The text after an operation; looks that undo gives the first one back.
inline std::string edited(const std::string& text, const std::string& operation, std::string* remarks = nullptr) {
  DiagramEditor editor("test.xml", "/nowhere/test.xml", text);
  Diagnostics diagnostics;
  EXPECT_TRUE(editor.apply({words(operation)}, diagnostics)) << diagnostics.text();
  const std::string made = editor.text();
  if (remarks != nullptr)
    for (const std::string& each : editor.remarks()) *remarks += each + "\n";
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(editor.text(), text);
  return made;
}

inline std::string refusal(const std::string& text, const std::string& operation) {
  DiagramEditor editor("test.xml", "/nowhere/test.xml", text);
  Diagnostics diagnostics;
  EXPECT_FALSE(editor.apply({words(operation)}, diagnostics));
  EXPECT_EQ(editor.text(), text);
  return diagnostics.text();
}

} // namespace hilda::test

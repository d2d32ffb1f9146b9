// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/named.h"
#include "engine/authoring/spans.h"
#include "engine/diagram/search_roots.h"
#include "tools/modules.h"
#include "tools/studio/detail/edit/edited_file.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::studio {

/// A file's text as it is edited, or as the disk has it, and where its elements are.
struct OpenText {
  std::string name, absolute, text;
  std::optional<XmlSpans> spans; ///< none: it is not an XML that could be edited
};

/// The diagram, an inline subsystem or an included file, as a path leads there.
struct OpenBody {
  std::shared_ptr<const OpenText> file;
  const XmlNode* body = nullptr;
  std::string
      local; ///< how the file calls it, with a dot at its end: "outer.", "rig@sim."; empty: it is the file itself
};

/// The files of a diagram as they are edited.
class OpenFiles {
public:
  /// @param file  as named by the user
  OpenFiles(const std::string& file, const std::vector<std::string>& library_path);

  EditedFile& main() { return *edited_.front(); }
  const std::vector<std::unique_ptr<EditedFile>>& edited() const { return edited_; }
  /// A file under edit, opened where it is not yet; null, and a sentence, where it may not be: it does not belong to
  /// the diagram's folder.
  EditedFile* document(const std::string& name, std::string& error);
  /// Those of which an earlier process has left edits.
  void open_left(const Sources& sources);

  /// What leads there: "rig.sensor"; none, where nothing does.
  /// @param mode     of the variants
  /// @param exactly  nothing leads to what other modes have alone
  std::optional<OpenBody> body(const std::string& path, const std::string& mode, bool exactly = false);
  /// The file that an element includes, from the file in which it is; null where there is none.
  std::shared_ptr<const OpenText> included(const XmlNode& subsystem, const OpenText& from);
  /// A file's name for an operation that makes it: next to the edited one. Empty, and a sentence, where it may not be.
  static std::string beside(const EditedFile& file, const std::string& name, std::string& error);

private:
  std::shared_ptr<const OpenText> text_of(const std::string& absolute);
  bool in_folder(const std::string& absolute) const;

  std::vector<std::unique_ptr<EditedFile>> edited_; ///< the diagram's own first
  std::string folder_;
  std::vector<std::string> library_path_;
  std::map<std::string, std::shared_ptr<const OpenText>> read_; ///< by absolute path
};

} // namespace hilda::studio

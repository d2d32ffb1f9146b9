// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/desks/drawings.h"
#include "tools/studio/detail/edit/body_view.h"
#include "tools/studio/detail/edit/checked_diagram.h"
#include "tools/studio/detail/edit/open_files.h"
#include "tools/studio/detail/edit/seen_views.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::studio {

/// A diagram and the files that it includes, under edit by the clients of a studio: what they ask for is answered, what
/// came of it is reported to all of them. For the thread that attends the run.
class Editing {
public:
  struct Options {
    std::string file; ///< as named by the user
    LoadOptions load; ///< mode, rig, settings; `recorded` is this object's
    std::function<void(const Json& message)> tell;
  };
  Editing(const Catalogue& catalogue, Options options);

  /// None: it is not a request about editing. All clients are reported where it has opened a file.
  std::optional<Json> answer(const std::string& op, const Json& request);
  static std::vector<std::string> requests();

  /// Whether someone else has written a file; at most some times a second.
  void look();
  /// Sentences about edits of an earlier process, for anyone who has opened the diagram.
  std::vector<std::string> left() const;

  /// What replaces the disk: every text that is not saved.
  RecordedFiles unsaved_texts() const;
  bool unsaved() const;
  /// When the program ends: which edits are not saved, and in which journal they lie. For a person.
  std::vector<std::string> kept() const;
  /// Another number, never 0, whenever the diagram is another one and could run.
  int sound() const { return sound_; }

private:
  using Clock = std::chrono::steady_clock;
  using Handler = Json (Editing::*)(const Json& request);
  struct Entry {
    const char* op;
    Handler answer;
  };
  static const std::vector<Entry>& table();

  Json documents(const Json& request);
  Json view(const Json& request);
  Json edit(const Json& request);
  Json copy(const Json& request);
  Json paste(const Json& request);
  Json try_out(const Json& request);
  Json undo(const Json& request);
  Json redo(const Json& request);
  Json write(const Json& request);
  Json diff(const Json& request);
  Json fits(const Json& request);
  Json palette(const Json& request);
  Json recover(const Json& request);
  Json resolve(const Json& request);
  /// One step back or forth of the file that a request names, or why there is none.
  Json go(const Json& request, bool (EditedFile::*step)(), const char* no_further);

  /// The diagram in the mode that a request names; without one, in that of the run. Null, and the refusal, where there
  /// is no such mode.
  const CheckedDiagram* checked_in(const Json& request, Json& refusal);
  std::string mode_of_run() const { return checked_->system ? checked_->system->mode : options_.load.mode; }
  /// Those of the diagram, that of the run first.
  Json modes_json() const;
  /// The body that a request is about; none, and the refusal, where nothing there could be edited.
  std::optional<OpenBody> body_in(const Json& request, Json& refusal);
  EditedFile* document_in(const Json& request, Json& refusal);
  /// The document, where it may be edited and the client has seen it as it is.
  EditedFile* editable_in(const Json& request, Json& refusal);
  std::vector<Words> operations_in(const Json& request, const EditedFile& file, std::string& error) const;
  RecordedFiles texts_with(const EditedFile* other, const std::string& text) const;
  std::unique_ptr<CheckedDiagram> checked_with(const EditedFile* other, const std::string& text,
                                               const std::string& mode = "") const;
  /// The fault in the mode that runs, and what edits have brought in the others.
  Json diagnostics() const;
  /// Null where there is nothing to draw.
  const Json* drawing(const Json& request, const CheckedDiagram& checked);
  void look_at(EditedFile& file);
  /// Checks again, and notifies all clients.
  Json changed(const EditedFile& file, const std::string& note = "");
  Json document_json(const EditedFile& file) const;
  Json documents_json() const;
  void tell(const std::string& note);

  const Catalogue& catalogue_;
  const Options options_;
  OpenFiles files_;
  std::unique_ptr<CheckedDiagram> checked_;
  std::map<std::string, std::vector<Diagnostic>> other_modes_; ///< what was wrong in them before anything was edited
  std::map<std::string, std::unique_ptr<CheckedDiagram>>
      in_other_modes_;                                      ///< as it is now, of those that were asked for
  std::vector<std::pair<std::string, Diagnostic>> brought_; ///< by edits, in other modes
  std::map<std::string, Drawings> drawings_;                ///< by mode
  SeenViews seen_views_;
  int sound_ = 0;
  Clock::time_point looked_;
};

} // namespace hilda::studio

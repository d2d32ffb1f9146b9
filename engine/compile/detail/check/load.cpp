// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/load.h"

#include "engine/base/error.h"
#include "engine/compile/detail/flatten/block_parameters.h"
#include "engine/compile/detail/flatten/flatten.h"
#include "engine/compile/detail/flatten/variants.h"
#include "engine/compile/detail/wires/realtime.h"
#include "engine/compile/detail/wires/wiring.h"
#include "engine/compile/live_rates.h"
#include "engine/diagram/document.h"
#include "engine/diagram/overlay.h"
#include "engine/diagram/reader.h"

#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

namespace hilda::compile {
namespace {

using DiagramPointer = std::shared_ptr<const DiagramDecl>;

/// All stages after reading the diagram.
class Loader {
public:
  Loader(const LoadOptions& options, Sources& sources, Diagnostics& diagnostics)
      : options_(options), sources_(sources), diagnostics_(diagnostics), roots_(options.library_path),
        reader_(roots_, sources, diagnostics, options.recorded) {}

  DiagramReader& reader() { return reader_; }

  std::optional<System> flat(const DiagramPointer& top, const Catalogue& catalogue, std::vector<std::string>& remarks) {
    FlattenOptions flattening;
    flattening.most_elements = options_.most_elements;
    flattening.settings = settings();
    if (!options_.rig.empty()) {
      flattening.rig = reader_.file(options_.rig);
      if (flattening.rig == nullptr) return std::nullopt;
    }
    if (top == nullptr) return std::nullopt;
    flattening.mode = choose_mode(*top, options_.mode, reader_.suggestions(), diagnostics_);
    check_modes(*top, reader_.suggestions(), diagnostics_);
    check_variants(*top, reader_.suggestions(), diagnostics_);
    FlattenContext context{.catalogue = catalogue,
                           .roots = roots_,
                           .sources = sources_,
                           .suggestions = reader_.suggestions(),
                           .diagnostics = diagnostics_,
                           .remarks = remarks};
    ScriptScope scripts(catalogue.scripts(), folder_of(top->where), options_.blocks, diagnostics_);
    context.scripts = &scripts;
    const std::unique_ptr<Flattened> flattened = flatten(*top, flattening, context);
    flattened->types.look_in(nullptr);
    flattened->system.solver = options_.solver.over(flattened->system.solver);
    read_realtime(*flattened, context);
    wire(*flattened, context);
    read_live_rates(*flattened);
    for (const BlockIndex block : flattened->incomplete) flattened->system.blocks[block].type = nullptr;
    if (options_.late != nullptr)
      *options_.late = std::move(late_);
    else
      refuse_late();
    return std::move(flattened->system);
  }

private:
  std::vector<Attribute> settings() {
    std::vector<Attribute> all;
    for (const std::string& overlay : options_.overlays) {
      OverlaySettings read = read_overlay(overlay, sources_, diagnostics_, reader_.suggestions(), options_.recorded);
      std::move(read.before.begin(), read.before.end(), std::back_inserter(all));
      std::move(read.late.timed.begin(), read.late.timed.end(), std::back_inserter(late_.timed));
      for (PlayedSetting& each : read.late.played) play(std::move(each));
    }
    for (Attribute& setting : read_settings(options_.settings, sources_, diagnostics_))
      all.push_back(std::move(setting));
    all.insert(all.end(), options_.placed_settings.begin(), options_.placed_settings.end());
    return all;
  }

  /// Of a file that was read, as it was named.
  static std::string folder_of(const Location& where) {
    if (where.file == nullptr) return {};
    const std::string folder = std::filesystem::path(*where.file).parent_path().string();
    return folder.empty() ? "." : folder;
  }

  /// Replaces what earlier overlays play there.
  void play(PlayedSetting played) {
    std::erase_if(late_.played, [&played](const PlayedSetting& each) { return each.path.text == played.path.text; });
    const Sources::File* const from = source_of(sources_, played.file.where);
    const Result<std::string> found = roots_.find(played.file.text, from->absolute);
    if (found)
      played.found = *found;
    else
      played.missing = found.error();
    late_.played.push_back(std::move(played));
  }

  void refuse_late() {
    if (late_.timed.empty() && late_.played.empty()) return;
    const Attribute& first = late_.timed.empty() ? late_.played.front().path : late_.timed.front().at;
    const std::string& path = late_.timed.empty() ? first.text : late_.timed.front().setting.name;
    diagnostics_.error("setting-untaken", first.where,
                       "this command runs with the values of the first tick, and an overlay sets " + in_quotes(path) +
                           " later",
                       "leave that overlay out; simulations (hilda run, Python) take such settings");
  }

  const LoadOptions& options_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  SearchRoots roots_;
  DiagramReader reader_;
  LateSettings late_;
};

/// False where a look at the bytes says that no element names a mode: none has the attribute, and no other file
/// belongs to the diagram. Reading a large file twice would take as long as checking it.
bool may_have_modes(std::string_view text) {
  return text.find("mode") != std::string_view::npos || text.find("src") != std::string_view::npos;
}

} // namespace

std::optional<System> load(const std::string& path, const LoadOptions& options, const Catalogue& catalogue,
                           Sources& sources, Diagnostics& diagnostics, std::vector<std::string>& remarks) {
  Loader loader(options, sources, diagnostics);
  const DiagramPointer top = loader.reader().file(path);
  return loader.flat(top, catalogue, remarks);
}

std::optional<System> load_text(const std::string& name, std::string text, const LoadOptions& options,
                                const Catalogue& catalogue, Sources& sources, Diagnostics& diagnostics,
                                std::vector<std::string>& remarks) {
  Loader loader(options, sources, diagnostics);
  const DiagramPointer top = loader.reader().text(name, std::move(text));
  return loader.flat(top, catalogue, remarks);
}

std::vector<std::string> modes_of_file(const std::string& path, const std::vector<std::string>& library_path) {
  Sources sources;
  Diagnostics unheard;
  const Sources::File* file = read_source(path, path, XmlLimits::file_bytes, {}, sources, unheard);
  if (file == nullptr) return {};
  if (!may_have_modes(file->text)) return {"sim"};
  SearchRoots roots(library_path);
  const DiagramPointer top = DiagramReader(roots, sources, unheard).file(path);
  if (top == nullptr) return {};
  std::vector<std::string> modes = modes_of(*top);
  if (modes.empty()) modes.emplace_back("sim");
  return modes;
}

} // namespace hilda::compile

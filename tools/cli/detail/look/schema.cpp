// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/schema.h"

#include "engine/base/error.h"
#include "engine/diagram/names.h"
#include "engine/study/study_schema.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/program/text_file.h"

#include <algorithm>
#include <memory>

namespace hilda::cli {
namespace {

struct SchemaArguments {
  std::string file;
  bool xsd = false, study = false;
  std::vector<std::string> editor_attributes, plugins;
};

int schema(const SchemaArguments& arguments) {
  SchemaOptions options;
  for (std::string name : arguments.editor_attributes) {
    if (name.rfind("ui.", 0) == 0) name.erase(0, 3);
    if (!is_element_name(name, true)) {
      print_error(hilda::base::in_quotes(name) + " is not a name of an attribute ui.NAME");
      return exit_usage;
    }
    const auto& known = options.editor_attributes;
    if (std::find(known.begin(), known.end(), name) == known.end()) options.editor_attributes.push_back(name);
  }
  TextOutput output(arguments.file, FileContent::schema);
  if (output.problem() != exit_ok) return output.problem();
  if (arguments.study) return output.write(study_relax_ng());
  Diagnostics diagnostics;
  const Catalogue& catalogue = load_catalogue(arguments.plugins, diagnostics);
  const std::string text = arguments.xsd ? xml_schema(catalogue, options) : relax_ng(catalogue, options);
  return output.write(text);
}

} // namespace

void add_schema(Program& program) {
  Command command = program.command("schema", "Writes a schema of diagrams, by which editors complete and "
                                              "check them");
  auto arguments = std::make_shared<SchemaArguments>();
  command.option("-o,--output", arguments->file, "File to write; standard output if not given").type_name("FILE");
  const Option xsd =
      command.flag("--xsd", arguments->xsd, "XML Schema 1.0 instead of RELAX NG: for editors that know nothing else");
  command.flag("--study", arguments->study, "Of studies instead of diagrams, as RELAX NG").excludes(xsd);
  command.option("--ui", arguments->editor_attributes, "Also allow the attribute ui.NAME of an editor; repeatable")
      .type_name("NAME")
      .repeated();
  add_plugin_option(command, arguments->plugins);
  command.footer("The schema knows the blocks of all plugins that hilda finds: write it again after a plugin changed.\n"
                 "Examples:\n"
                 "  hilda schema -o diagram.rng\n"
                 "  hilda schema --xsd -o diagram.xsd --plugins build/lib/hilda/plugins\n"
                 "  xmllint --noout --relaxng diagram.rng follow.xml");
  command.runs([arguments] { return schema(*arguments); });
}

} // namespace hilda::cli

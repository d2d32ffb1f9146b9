// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/diagnostic.h"
#include "tools/cli/detail/loading/browser.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

struct DocsArguments {
  std::string page;
  bool print = false;
};

/// The folder that contains bin/hilda: a prefix, or the folder of a build.
fs::path program_prefix() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed).parent_path().parent_path();
}

/// Installed, or in the folder of a build; empty: there is no site.
fs::path site_of(const fs::path& prefix) {
  std::error_code failed;
  for (const char* place : {"share/doc/hilda/site", "docs/site"})
    if (fs::is_regular_file(prefix / place / "index.html", failed)) return prefix / place;
  return {};
}

/// "docs/diagram" for docs/diagram.html, for every page of the site.
std::vector<std::string> pages_of(const fs::path& site) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(site, failed))
    if (file.path().extension() == ".html")
      names.push_back(file.path().lexically_relative(site).replace_extension().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The page of that name: with its folder, or without. Empty: there is none.
std::string find_page(const std::vector<std::string>& pages, const std::string& name) {
  for (const char* folder : {"", "docs/", "reference/"})
    if (std::binary_search(pages.begin(), pages.end(), folder + name)) return folder + name;
  for (const std::string& page : pages)
    if (page.ends_with("/" + name)) return page;
  return {};
}

std::string nearest_page(const std::vector<std::string>& pages, const std::string& name) {
  std::vector<std::string> names;
  for (const std::string& page : pages) names.push_back(page.substr(page.rfind('/') + 1));
  return nearest(name, names);
}

/// A link to a file: all bytes but those of plain names are escaped.
std::string file_link(const fs::path& file) {
  std::string link = "file://";
  for (const char byte : file.string())
    if (std::isalnum(static_cast<unsigned char>(byte)) != 0 || std::string("/-_.~").find(byte) != std::string::npos)
      link += byte;
    else
      link += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
  return link;
}

int no_site(const fs::path& prefix) {
  const fs::path texts = prefix / "share" / "doc" / "hilda";
  std::error_code failed;
  const bool plain = fs::is_regular_file(texts / "first_hour.md", failed);
  print_error(fmt::format("the documentation is not installed: {} has neither share/doc/hilda/site nor docs/site\n"
                          "help: install the package hilda-doc, or build it in hilda's sources: ninja -C build "
                          "hilda_docs{}",
                          prefix.string(), plain ? fmt::format("; the pages as text are in {}", texts.string()) : ""));
  return exit_bad_file;
}

int docs(const DocsArguments& arguments) {
  const fs::path prefix = program_prefix(), site = site_of(prefix);
  if (site.empty()) return no_site(prefix);
  std::string page = "index";
  if (!arguments.page.empty()) {
    const std::vector<std::string> pages = pages_of(site);
    page = find_page(pages, arguments.page);
    if (page.empty()) {
      const std::string near = nearest_page(pages, arguments.page);
      print_error(fmt::format("the documentation has no page '{}'\nhelp: {}", arguments.page,
                              near.empty() ? "hilda docs opens the first page, which has a search"
                                           : "did you mean 'hilda docs " + near + "'?"));
      return exit_usage;
    }
  }
  const fs::path file = site / (page + ".html");
  std::printf("%s\n", arguments.print ? file.c_str() : file_link(file).c_str());
  if (!arguments.print && has_screen() && !open_in_browser(file_link(file)))
    print_note("no browser could be opened: the page is at the address above");
  return exit_ok;
}

} // namespace

void add_docs(Program& program) {
  Command command = program.command("docs", "Opens the documentation in a browser; no network is needed");
  auto arguments = std::make_shared<DocsArguments>();
  command.option("PAGE", arguments->page, "A page: diagram, studio, reference/python; the first one if not given")
      .option_text("NAME");
  command.flag("--print", arguments->print, "Only print the path of the page");
  command.footer("Examples:\n"
                 "  hilda docs\n"
                 "  hilda docs diagram\n"
                 "  hilda docs --print");
  command.runs([arguments] { return docs(*arguments); });
}

} // namespace hilda::cli

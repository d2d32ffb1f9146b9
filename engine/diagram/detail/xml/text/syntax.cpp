// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/detail/xml/text/syntax.h"

#include "engine/base/error.h"

#include <cctype>
#include <map>
#include <string_view>
#include <vector>

namespace hilda::diagram {
namespace {

/// Walks over tags until the first thing that is wrong.
class TagScanner {
public:
  TagScanner(const Sources::File& file, Diagnostics& diagnostics) : file_(file), text_(file.text), out_(diagnostics) {}

  /// True where something was found (and reported).
  bool scan() {
    while (at_ < text_.size()) {
      if (text_[at_] != '<') {
        advance(1);
        continue;
      }
      if (const bool found = markup()) return found;
    }
    if (open_.empty()) return false;
    return report(open_.back().line, "the element <" + open_.back().name + "> is never closed",
                  "close it with '/>' or </" + open_.back().name + ">");
  }

private:
  struct Open {
    std::string name;
    int line;
    int end; ///< line of its '>'
  };

  bool report(int line, std::string what, std::string help, std::vector<Note> notes = {}) {
    out_.error("xml-syntax", {&file_.name, line}, std::move(what), std::move(help), std::move(notes));
    return true;
  }

  void advance(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count, ++at_)
      if (text_[at_] == '\n') ++line_;
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) advance(1);
  }
  bool starts(std::string_view with) const { return text_.substr(at_, with.size()) == with; }

  std::string name() {
    const std::size_t begin = at_;
    const auto belongs = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' || c == ':' ||
             static_cast<unsigned char>(c) >= 0x80;
    };
    while (at_ < text_.size() && belongs(text_[at_])) advance(1);
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// Skips to behind `end`; reports where it never comes.
  bool skip_to(std::string_view end, const char* what) {
    const int began = line_;
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos)
      return report(began, std::string("this ") + what + " never ends", "end it with " + hilda::base::in_quotes(end));
    advance(found + end.size() - at_);
    return false;
  }

  bool markup() {
    if (starts("<!--")) {
      advance(4);
      return skip_to("-->", "comment");
    }
    if (starts("<![CDATA[")) return skip_to("]]>", "CDATA section");
    if (starts("<?")) return instruction();
    if (starts("<!")) return skip_to(">", "declaration");
    return starts("</") ? closing() : opening();
  }

  /// The first line of a file may be one of those, which says that it is XML.
  bool instruction() {
    const std::size_t begin = at_;
    const int began = line_;
    if (skip_to("?>", "declaration")) return true;
    const std::string text(text_.substr(begin, at_ - begin));
    if (text.starts_with("<?xml ") || text.starts_with("<?xml\n")) return false;
    return report(began, "processing instructions are not read, and this is one",
                  "remove " + hilda::base::in_quotes(text));
  }

  bool closing() {
    const int began = line_;
    advance(2);
    const std::string closed = name();
    skip_space();
    if (!starts(">")) return report(began, "the tag </" + closed + " does not end", "end it with '>'");
    advance(1);
    if (open_.empty())
      return report(began, "</" + closed + "> closes nothing", "remove it, or restore the tag that opens it");
    const Open opened = open_.back();
    open_.pop_back();
    if (opened.name == closed) return false;
    std::vector<Note> notes = {{{&file_.name, opened.line}, "<" + opened.name + "> is opened here"}};
    if (opened.end != opened.line) notes.push_back({{&file_.name, opened.end}, "its tag ends here"});
    return report(began, "</" + closed + "> closes <" + opened.name + ">",
                  "a tag is missing or misspelt between the two, or one ends with '>' instead of '/>'",
                  std::move(notes));
  }

  bool opening() {
    const int began = line_;
    advance(1);
    const std::string opened = name();
    seen_.clear();
    if (opened.empty()) return report(began, "'<' begins no tag", "inside a value write '&lt;'");
    while (true) {
      skip_space();
      if (starts("/>")) {
        advance(2);
        return false;
      }
      if (starts(">")) {
        advance(1);
        open_.push_back({opened, began, line_});
        return false;
      }
      if (at_ >= text_.size() || starts("<"))
        return report(began, "the tag <" + opened + " does not end", "end it with '/>' or '>'");
      if (attribute(opened)) return true;
    }
  }

  bool attribute(const std::string& element) {
    const int began = line_;
    const std::string attribute_name = name();
    if (attribute_name.empty())
      return report(began, "unexpected " + hilda::base::in_quotes(text_.substr(at_, 1)) + " in the tag <" + element,
                    "attributes are written name=\"value\"");
    const auto [first, fresh] = seen_.emplace(attribute_name, began);
    if (!fresh) {
      out_.error("duplicate-attribute", {&file_.name, began},
                 "<" + element + "> has the attribute " + hilda::base::in_quotes(attribute_name) + " twice", "keep one",
                 {{{&file_.name, first->second}, "first given here"}});
      return true;
    }
    skip_space();
    if (!starts("="))
      return report(began,
                    "the attribute " + hilda::base::in_quotes(attribute_name) + " of <" + element + "> has no '='",
                    "attributes are written name=\"value\"");
    advance(1);
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'')
      return report(began,
                    "the value of " + hilda::base::in_quotes(attribute_name) + " of <" + element + "> has no quotes",
                    "attributes are written name=\"value\"");
    advance(1);
    const std::size_t end = text_.find(quote, at_);
    const std::string_view value = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
    // A value that runs over the next tag lost its closing quote.
    if (end == std::string_view::npos || value.find('<') != std::string_view::npos)
      return report(began,
                    "the value of " + hilda::base::in_quotes(attribute_name) + " of <" + element +
                        "> has no closing quote",
                    "close it with " + hilda::base::in_quotes(std::string_view(&quote, 1)) +
                        "; inside a value write '&lt;' for '<'");
    advance(end + 1 - at_);
    // Or the quote that ended it opens the next one: name="lead type="contact/PhaseLead".
    const bool separated =
        at_ >= text_.size() || std::string_view(" \t\r\n/>").find(text_[at_]) != std::string_view::npos;
    if (!separated && value.find('=') != std::string_view::npos)
      return report(began,
                    "the value of " + hilda::base::in_quotes(attribute_name) + " of <" + element +
                        "> has no closing quote",
                    "close it with " + hilda::base::in_quotes(std::string_view(&quote, 1)));
    return false;
  }

  const Sources::File& file_;
  std::string_view text_;
  Diagnostics& out_;
  std::vector<Open> open_;
  std::map<std::string, int> seen_; ///< attributes of the tag being read, with their lines
  std::size_t at_ = 0;
  int line_ = 1;
};

} // namespace

void report_syntax(const Sources::File& file, int parser_line, Diagnostics& diagnostics) {
  if (TagScanner(file, diagnostics).scan()) return;
  diagnostics.error("xml-syntax", {&file.name, parser_line}, "this is not well-formed XML",
                    "a diagram is one element <diagram format=\"1\">...</diagram>");
}

} // namespace hilda::diagram

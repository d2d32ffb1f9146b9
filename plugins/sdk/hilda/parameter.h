// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_PARAMETER_H
#define HILDA_PARAMETER_H

// What a diagram sets: Parameter, of numbers, texts, expressions, files and choices.

#include <cstring>
#include <hilda/choice.h>
#include <hilda/number_text.h>
#include <hilda/storage.h>

namespace hilda {
inline namespace sdk1 {

/// A parameter: read only for the block.
template <typename T> class Parameter : public detail::Member<T, HILDA_PARAMETER> {
public:
  /// Not inherited: GCC names the line of a mistake only where the constructor is the class's own.
  template <typename... Arguments>
  Parameter(detail::Owner owner, const Arguments&... arguments)
      : detail::Member<T, HILDA_PARAMETER>(owner, arguments...) {}
};

template <> class Parameter<Text> {
public:
  template <typename... Options> Parameter(Block&, const char* name, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_PARAMETER, HILDA_TEXT, name, doc);
    slot.shape = "";
    detail::declare(slot, this, options...);
  }
  template <typename... Wrong> Parameter(Block&, const Wrong&...) {
    static_assert(detail::never<Wrong...>,
                  "hilda: texts, expressions, files and words are declared as {*this, \"name\", \"docstring\", "
                  "attributes...}, without a unit; the type Choice has its words in front of the docstring");
  }
  const char* operator*() const { return text_; }

private:
  const char* text_ = "";
};

/// An expression that the block reads by itself. What `${}` brings into it are constants: `${gain}` keeps its value
/// whatever is around it, and columns are those of the text in the diagram.
template <> class Parameter<Expression> {
public:
  struct Constant {
    std::string name; ///< letters, digits and "${}_"
    double number;    ///< SI
  };
  template <typename... Options> Parameter(Block&, const char* name, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_PARAMETER, HILDA_TEXT, name, doc);
    slot.shape = "";
    slot.flags |= HILDA_EXPRESSION;
    detail::declare(slot, this, options...);
  }
  template <typename... Wrong> Parameter(Block&, const Wrong&...) {
    static_assert(detail::never<Wrong...>,
                  "hilda: texts, expressions, files and words are declared as {*this, \"name\", \"docstring\", "
                  "attributes...}, without a unit; the type Choice has its words in front of the docstring");
  }
  /// The text, with the constants' names in it.
  std::string operator*() const { return std::string(text_, std::strcspn(text_, "\x1f")); }
  std::vector<Constant> constants() const {
    std::vector<Constant> found;
    for (const char* at = std::strchr(text_, '\x1f'); at != nullptr; at = std::strchr(at, '\x1f')) {
      const char* const name = at + 1;
      const char* const number = std::strchr(name, '=');
      if (number == nullptr) break;
      at = number + std::strcspn(number, "\x1f");
      double value = 0;
      detail::read_number(number + 1, at, value);
      found.push_back({std::string(name, number), value});
    }
    return found;
  }

private:
  const char* text_ = "";
};

template <> class Parameter<Path> {
public:
  template <typename... Options> Parameter(Block&, const char* name, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_PARAMETER, HILDA_PATH, name, doc);
    slot.shape = "";
    detail::declare(slot, this, options...);
  }
  template <typename... Wrong> Parameter(Block&, const Wrong&...) {
    static_assert(detail::never<Wrong...>,
                  "hilda: texts, expressions, files and words are declared as {*this, \"name\", \"docstring\", "
                  "attributes...}, without a unit; the type Choice has its words in front of the docstring");
  }
  const char* operator*() const { return path_; }

private:
  const char* path_ = "";
};

/// One of a few words: an enum class whose values are named as the words, in their order (see choice.h).
template <detail::ScopedEnum E> class Parameter<E> {
public:
  template <typename... Options> Parameter(Block&, const char* name, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_PARAMETER, HILDA_CHOICE, name, doc);
    slot.shape = "";
    slot.choices = detail::Words<E>::text.data();
    detail::declare(slot, this, options...);
  }
  template <typename... Wrong> Parameter(Block&, const Wrong&...) {
    static_assert(detail::never<Wrong...>,
                  "hilda: texts, expressions, files and words are declared as {*this, \"name\", \"docstring\", "
                  "attributes...}, without a unit; the type Choice has its words in front of the docstring");
  }
  E operator*() const { return static_cast<E>(index_); }

private:
  std::int64_t index_ = 0;
};

/// The same for sources of 0.1, which compare the word's index.
template <> class Parameter<Choice> {
public:
  template <typename... Options>
  Parameter(Block&, const char* name, const char* words, const char* doc, const Options&... options) {
    hilda_slot slot = detail::blank(HILDA_PARAMETER, HILDA_CHOICE, name, doc);
    slot.shape = "";
    slot.choices = words;
    detail::declare(slot, this, options...);
  }
  template <typename... Wrong> Parameter(Block&, const Wrong&...) {
    static_assert(detail::never<Wrong...>,
                  "hilda: texts, expressions, files and words are declared as {*this, \"name\", \"docstring\", "
                  "attributes...}, without a unit; the type Choice has its words in front of the docstring");
  }
  std::int64_t operator*() const { return index_; }

private:
  std::int64_t index_ = 0;
};

} // namespace sdk1
} // namespace hilda

#endif

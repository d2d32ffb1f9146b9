// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace hilda::base {

/// Why a text was refused, before the place of the text is known: the caller adds file and line.
struct Error {
  /// Code of the diagnostic to be made of it; empty if the cause has been reported already.
  std::string code;
  std::string what;
  std::string help;

  bool already_reported() const { return code.empty(); }
};

/// A error. `code` is a literal in kebab-case at the place of the call: the test that requires a golden message for
/// each code collects it there.
Error make_error(const char* code, std::string what, std::string help);

/// Either a T or the reason why there is none.
template <class T> class Result {
public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  explicit operator bool() const { return std::holds_alternative<T>(content_); }
  const T& operator*() const& { return *std::get_if<T>(&content_); }
  T& operator*() & { return *std::get_if<T>(&content_); }
  T&& operator*() && { return std::move(*std::get_if<T>(&content_)); }
  const T* operator->() const { return std::get_if<T>(&content_); }
  T* operator->() { return std::get_if<T>(&content_); }
  const Error& error() const { return *std::get_if<Error>(&content_); }

private:
  std::variant<T, Error> content_;
};

/// The text in single quotes for a message: on one line, control characters as '?', cut after 60 bytes.
std::string in_quotes(std::string_view text);

} // namespace hilda::base

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace hilda::cli {

/// What the command that was asked for does; returns an Exit.
using Action = std::function<int()>;

/// An option, a flag or an argument of a command, to say more of it. Given by value; it must not outlive its program.
class Option {
public:
  explicit Option(CLI::Option* of) : option_(of) {}

  Option type_name(const char* name);        ///< what stands for the value in the help: FILE
  Option option_text(const std::string& as); ///< all text behind the name in the help
  Option description(const std::string& text);
  Option required(bool yes = true);
  Option repeated();       ///< one value each time, any number of times
  Option optional_value(); ///< its value may be left out
  Option excludes(Option other);
  Option between(double least, double most);
  Option between(int least, int most);
  Option between(std::size_t least, std::size_t most);
  Option positive();
  Option not_negative();
  Option one_of(const std::vector<std::string>& words);
  /// `problem` gives what is wrong with a text; empty: nothing.
  Option check(const std::function<std::string(const std::string&)>& problem);
  bool given() const;

private:
  CLI::Option* option_;
};

/// One command of the program. What its options fill must live until the program has read its arguments.
///
/// A name that begins with '-' is an option, any other an argument by its position. CLI11 does the work: it takes
/// seconds to compile, so only arguments.cpp and main.cpp include it.
class Command {
public:
  Command(CLI::App& app, Action& action) : app_(&app), action_(&action) {}

  Option option(const std::string& name, std::string& value, const std::string& text);
  Option option(const std::string& name, std::vector<std::string>& values, const std::string& text);
  Option option(const std::string& name, double& value, const std::string& text);
  Option option(const std::string& name, int& value, const std::string& text);
  Option option(const std::string& name, std::size_t& value, const std::string& text);
  Option flag(const std::string& name, bool& value, const std::string& text);
  Option get_option(const std::string& name);
  void footer(const std::string& text);
  /// A command of this one: 'hilda sweep check'.
  Command command(const std::string& name, const std::string& text);
  /// `action` is done when the command is asked for and its arguments are read.
  void runs(Action action);

private:
  CLI::App* app_;
  Action* action_;
};

/// The program with all its commands.
class Program {
public:
  explicit Program(const std::string& text);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Command command(const std::string& name, const std::string& text);
  CLI::App& app() { return *app_; }
  const Action& action() const { return action_; }

private:
  std::unique_ptr<CLI::App> app_;
  Action action_;
};

} // namespace hilda::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/program/arguments.h"

#include "engine/base/plain_number.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>

namespace hilda::cli {
namespace {

/// A value is never empty: what a script left open (`--rig "$RIG"`) would count as not given.
Option filled(CLI::Option* option) {
  return Option(option).check([option](const std::string& text) {
    if (!text.empty()) return std::string();
    return std::string("its value is empty") + (option->get_required() ? "" : "; leave it out where none is meant");
  });
}

} // namespace

Option Option::type_name(const char* name) {
  option_->type_name(name);
  return *this;
}

Option Option::option_text(const std::string& as) {
  option_->option_text(as);
  return *this;
}

Option Option::description(const std::string& text) {
  option_->description(text);
  return *this;
}

Option Option::required(bool yes) {
  option_->required(yes);
  return *this;
}

Option Option::repeated() {
  option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

Option Option::optional_value() {
  option_->expected(0, 1);
  return *this;
}

Option Option::excludes(Option other) {
  option_->excludes(other.option_);
  return *this;
}

Option Option::between(double least, double most) {
  option_->check(CLI::Range(least, most));
  return check([](const std::string& text) { // which lies outside of no range
    const auto number = plain_number(text);
    return number && std::isnan(*number) ? "'" + text + "' is not a number" : std::string();
  });
}

Option Option::between(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::between(std::size_t least, std::size_t most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::positive() {
  return check([](const std::string& text) {
    const auto number = plain_number(text);
    return number && *number > 0 && std::isfinite(*number) ? std::string() : "'" + text + "' is not a number above 0";
  });
}

Option Option::not_negative() {
  return check([](const std::string& text) {
    const auto number = plain_number(text);
    return number && *number >= 0 ? std::string() : "'" + text + "' is not a number from 0 on";
  });
}

Option Option::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

Option Option::check(const std::function<std::string(const std::string&)>& problem) {
  option_->check(problem);
  return *this;
}

bool Option::given() const { return option_->count() > 0; }

Option Command::option(const std::string& name, std::string& value, const std::string& text) {
  return filled(app_->add_option(name, value, text));
}

Option Command::option(const std::string& name, std::vector<std::string>& values, const std::string& text) {
  return filled(app_->add_option(name, values, text));
}

Option Command::option(const std::string& name, double& value, const std::string& text) {
  return filled(app_->add_option(name, value, text));
}

Option Command::option(const std::string& name, int& value, const std::string& text) {
  return filled(app_->add_option(name, value, text));
}

Option Command::option(const std::string& name, std::size_t& value, const std::string& text) {
  return filled(app_->add_option(name, value, text));
}

Option Command::flag(const std::string& name, bool& value, const std::string& text) {
  return Option(app_->add_flag(name, value, text));
}

Option Command::get_option(const std::string& name) { return Option(app_->get_option(name)); }

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::runs(Action action) {
  // CLI11 calls that of the inner command first; the outer one's would replace it.
  app_->callback([app = app_, into = action_, action = std::move(action)] {
    if (app->get_subcommands().empty()) *into = action;
  });
}

Command Command::command(const std::string& name, const std::string& text) {
  return Command(*app_->add_subcommand(name, text), *action_);
}

Program::Program(const std::string& text) : app_(std::make_unique<CLI::App>(text)) {}

Program::~Program() = default;

Command Program::command(const std::string& name, const std::string& text) {
  return Command(*app_->add_subcommand(name, text), action_);
}

} // namespace hilda::cli

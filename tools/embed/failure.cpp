// SPDX-License-Identifier: BSD-3-Clause
#include "tools/embed/failure.h"

#include <cstring>
#include <utility>

namespace hilda::embed {
namespace {

/// Of this thread.
struct LastError {
  std::vector<KeptMessage> messages;
  std::string text;
};
thread_local LastError last_error;

} // namespace

void fail(hilda_sim_status status, const char* code, std::string what, std::string help) {
  Failure failure{status, {}};
  failure.messages.emplace_back();
  failure.messages.back().code = code;
  failure.messages.back().what = std::move(what);
  failure.messages.back().help = std::move(help);
  throw std::move(failure);
}

void fail(hilda_sim_status status, const Diagnostics& diagnostics) { throw Failure{status, diagnostics.sorted()}; }

void remember(Failure failure) noexcept {
  try {
    LastError next;
    for (Diagnostic& each : failure.messages) {
      next.messages.push_back({std::move(each), {}});
      next.messages.back().text = next.messages.back().said.text();
      next.text += next.messages.back().text + "\n";
    }
    last_error = std::move(next);
  } catch (const std::exception&) { // no memory for the words: the status is left
    last_error.messages.clear();
    last_error.text.clear();
  }
}

void show(const KeptMessage& kept, int severity, hilda_sim_message& message) {
  hilda_sim_message whole{};
  whole.size = message.size;
  whole.severity = severity;
  whole.code = kept.said.code.c_str();
  whole.file = kept.said.file.c_str();
  whole.line = kept.said.line;
  whole.what = kept.said.what.c_str();
  whole.help = kept.said.help.c_str();
  whole.text = kept.text.c_str();
  message = whole;
}

} // namespace hilda::embed

extern "C" {

const char* hilda_sim_error(void) { return hilda::embed::last_error.text.c_str(); }

size_t hilda_sim_error_count(void) { return hilda::embed::last_error.messages.size(); }

int hilda_sim_error_at(size_t index, hilda_sim_message* message) {
  using namespace hilda;
  if (message == nullptr || message->size < sizeof *message || index >= embed::last_error.messages.size())
    return HILDA_SIM_INVALID; // the error that is asked for stays
  const embed::KeptMessage& kept = embed::last_error.messages[index];
  const bool warning = kept.said.severity == Diagnostic::Severity::warning;
  embed::show(kept, warning ? HILDA_SIM_WARNING : HILDA_SIM_ERROR, *message);
  return HILDA_SIM_OK;
}
}

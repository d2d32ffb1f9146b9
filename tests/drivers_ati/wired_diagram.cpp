// SPDX-License-Identifier: BSD-3-Clause
#include "tests/drivers_ati/wired_diagram.h"

#include "engine/session/summary_figures.h"
#include "tests/modules.h"
#include "tests/span_number.h"
#include "tests/standard_plugins.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace hilda::test {

WiredDiagram::WiredDiagram(const std::string& body, const std::string& period)
    : diagram_(standard_plugins({"sources", "math", "sinks", "kinematics", HILDA_WIRED_PLUGIN}).catalogue(),
               DiagramText{"test.xml",
                           "<diagram format=\"1\" name=\"test\" period=\"" + period + "\">\n" + body + "</diagram>\n"}),
      runtime_(make_runtime(diagram_)) {}

WiredDiagram::~WiredDiagram() = default;

bool WiredDiagram::start() { return runtime_ != nullptr && runtime_->start(diagram_.diagnostics()); }

std::string WiredDiagram::errors() const { return diagram_.diagnostics().text(); }

bool WiredDiagram::step(int ticks) {
  for (int i = 0; i < ticks; ++i)
    if (!runtime_->step()) return false;
  return true;
}

double WiredDiagram::value(const std::string& path, std::size_t element) const {
  const SystemSignal* signal = runtime_->find_signal(path);
  if (signal == nullptr || element >= signal->span.count) throw std::runtime_error("no signal " + path);
  return number_at(signal->span, element);
}

std::map<std::string, double> WiredDiagram::figures() const {
  std::map<std::string, double> found;
  for (const SummaryFigure& figure : gather_figures(*runtime_).figures)
    if (const double* number = std::get_if<double>(&figure.value)) found[figure.key] = *number;
  return found;
}

std::map<std::string, std::string> WiredDiagram::texts() const {
  std::map<std::string, std::string> found;
  for (const SummaryFigure& figure : gather_figures(*runtime_).figures)
    if (const std::string* text = std::get_if<std::string>(&figure.value)) found[figure.key] = *text;
  return found;
}

Background::Background(WiredDiagram& diagram)
    : thread_([this, &diagram] {
        while (!over_ && diagram.step()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }) {}

Background::~Background() {
  over_ = true;
  thread_.join();
}

} // namespace hilda::test

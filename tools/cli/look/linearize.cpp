#include "engine/analyse/linearize/linearize.h"
#include "tools/cli/loading/diagram.h"
#include "tools/cli/program/command.h"
#include "tools/cli/program/duration.h"
#include "tools/cli/program/output.h"
#include "tools/cli/program/terminal.h"
#include "tools/plot/figure.h"
#include "tools/svg/picture_file.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <numbers>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

struct LinearizeArguments {
  DiagramArguments diagram;
  std::vector<std::string> from, to;
  std::string time, out, bode;
  double step = LinearizeOptions().step, lowest = 0, highest = 0;
  int points = 200;
  bool discrete = false;
};

/// A table as CSV, made beside its name until `commit`.
class CsvFile {
public:
  explicit CsvFile(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}
  void row(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) text_ += (i == 0 ? "" : ",") + quoted(cells[i]);
    text_ += '\n';
  }
  bool write() { return file_->room_for(text_.size()) && file_->write(text_); }
  bool commit() { return file_->commit(); }
  const std::string& error() const { return file_->error(); }

private:
  static std::string quoted(const std::string& cell) {
    return cell.find(',') == std::string::npos ? cell : "\"" + cell + "\"";
  }
  std::unique_ptr<OutputFile> file_;
  std::string text_;
};

/// The files of a linear model: A, B, C, D, poles, response.
using ModelFiles = std::vector<CsvFile>;

std::optional<ModelFiles> open_files(const std::string& stem, OutputFiles& files) {
  ModelFiles all;
  for (const char* part : {"A", "B", "C", "D", "poles", "response"}) {
    auto file = files.open(stem + "_" + part + ".csv", OutputKind::text);
    if (!file) return std::nullopt;
    all.emplace_back(std::move(file));
  }
  return all;
}

std::string number(double v) { return fmt::format("{}", v); }

void write_matrix(CsvFile& file, const Eigen::MatrixXd& m, const std::vector<std::string>& rows,
                  const std::vector<std::string>& cols) {
  std::vector<std::string> cells{""};
  cells.insert(cells.end(), cols.begin(), cols.end());
  file.row(cells);
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    cells.assign(1, rows[static_cast<std::size_t>(i)]);
    for (Eigen::Index j = 0; j < m.cols(); ++j) cells.push_back(number(m(i, j)));
    file.row(cells);
  }
}

/// Of a pole in the s plane: natural frequency (rad/s) and damping ratio.
struct Mode {
  double frequency, damping;
};
Mode mode_of(std::complex<double> s) {
  const double size = std::abs(s);
  return {size, size > 0 ? -s.real() / size : 1.0};
}

void write_poles(CsvFile& file, const LinearModel& model, const std::vector<Pole>& poles) {
  file.row({"real", "imaginary", "natural frequency [rad/s]", "damping ratio", "error"});
  for (const auto& [pole, error] : poles) {
    const Mode mode = mode_of(model.continuous(pole));
    file.row({number(pole.real()), number(pole.imag()), number(mode.frequency), number(mode.damping), number(error)});
  }
}

/// Evenly over the decades.
std::vector<double> frequencies_of(const LinearModel& model, const LinearizeArguments& a) {
  const double highest = a.highest > 0 ? a.highest : model.period > 0 ? std::numbers::pi / model.period : 1e4;
  const double lowest = a.lowest > 0 ? a.lowest : 1e-5 * highest;
  std::vector<double> all;
  for (int k = 0; k < a.points; ++k) {
    const double share = a.points > 1 ? static_cast<double>(k) / (a.points - 1) : 0.0;
    all.push_back(lowest * std::pow(highest / lowest, share));
  }
  return all;
}

void write_response(CsvFile& file, const LinearModel& model, const LinearizeArguments& a) {
  std::vector<std::string> cells{"frequency [rad/s]"};
  for (const std::string& in : model.inputs)
    for (const std::string& out : model.outputs) {
      const std::string pair = in + " to " + out;
      cells.insert(cells.end(), {pair + " magnitude [dB]", pair + " phase [deg]"});
    }
  file.row(cells);
  for (const double frequency : frequencies_of(model, a)) {
    const Eigen::MatrixXcd G = model.response(frequency);
    cells.assign(1, number(frequency));
    for (const std::complex<double> g : G.reshaped())
      cells.insert(cells.end(), {number(20 * std::log10(std::abs(g))), number(std::arg(g) * 180 / std::numbers::pi)});
    file.row(cells);
  }
}

/// Magnitude and phase over frequency; the phase goes on where it would jump by a turn.
plot::Figure bode_figure(const LinearModel& model, const LinearizeArguments& a, const std::string& title) {
  plot::Figure figure;
  figure.title = title, figure.across = "Frequency [rad/s]", figure.decades = true;
  figure.panels = {{"Magnitude", "dB", {}}, {"Phase", "deg", {}}};
  const std::vector<double> frequencies = frequencies_of(model, a);
  const auto decades = std::make_shared<std::vector<double>>();
  for (const double w : frequencies) decades->push_back(std::log10(w));
  for (const std::string& in : model.inputs)
    for (const std::string& out : model.outputs)
      for (plot::Panel& panel : figure.panels) panel.curves.push_back({in + " to " + out, decades, {}});
  for (const double w : frequencies) {
    std::size_t curve = 0;
    const Eigen::MatrixXcd response = model.response(w);
    for (const std::complex<double> g : response.reshaped()) {
      std::vector<double>& phases = figure.panels[1].curves[curve].values;
      double phase = std::arg(g) * 180 / std::numbers::pi;
      if (!phases.empty()) phase += 360 * std::round((phases.back() - phase) / 360);
      // nothing of an input that does not reach the output
      const bool reaches = std::abs(g) > 1e-15;
      figure.panels[0].curves[curve++].values.push_back(reaches ? 20 * std::log10(std::abs(g)) : NAN);
      phases.push_back(reaches ? phase : phases.empty() ? 0 : phases.back());
    }
  }
  return figure;
}

void print_model(const LinearModel& model, const std::vector<Pole>& poles) {
  if (model.period > 0)
    std::printf("discrete, period %s s", number(model.period).c_str());
  else
    std::printf("continuous");
  std::printf(": %ld states, %ld inputs, %ld outputs; A, B, C, D right to %.1e\n", static_cast<long>(model.A.rows()),
              static_cast<long>(model.B.cols()), static_cast<long>(model.C.rows()), model.error());
  constexpr std::size_t most = 12;
  for (std::size_t i = 0; i < std::min(most, poles.size()); ++i) {
    const auto [pole, error] = poles[i];
    const Mode mode = mode_of(model.continuous(pole));
    std::printf("  pole %14.7g %+14.7gi   %11.5g rad/s, damping %.4f, %s\n", pole.real(), pole.imag(), mode.frequency,
                mode.damping,
                error < 1e-2 * std::max(1.0, std::abs(pole)) ? fmt::format("right to {:.0e}", error).c_str()
                                                             : "not well determined");
  }
  if (poles.size() > most) std::printf("  and %zu more stable\n", poles.size() - most);
}

/// The edge of a contact, a limit just reached: no linear model there, only one for each side.
void warn_of_kinks(const LinearModel& model) {
  if (model.kinks.empty()) return;
  const auto [row, col] = model.kinks.front();
  std::fprintf(
      stderr,
      "warning: the state is at a kink: %zu entries differ by side, first %s; the mean of both sides is given\n"
      "help: linearise at another time or state, off the edge of the contact or limit\n",
      model.kinks.size(), model.entry_name(row, col).c_str());
}

/// All files are written before the first is put into its place.
Exit write_model(ModelFiles& files, const LinearModel& m, const std::vector<Pole>& poles,
                 const LinearizeArguments& arguments) {
  write_matrix(files[0], m.A, m.states, m.states);
  write_matrix(files[1], m.B, m.states, m.inputs);
  write_matrix(files[2], m.C, m.outputs, m.states);
  write_matrix(files[3], m.D, m.outputs, m.inputs);
  write_poles(files[4], m, poles);
  write_response(files[5], m, arguments);
  const auto tell = [](const CsvFile& file) {
    print_error(file.error() + "\nhelp: name another folder with --out");
    return exit_failed_run;
  };
  for (CsvFile& file : files)
    if (!file.write()) return tell(file);
  for (CsvFile& file : files)
    if (!file.commit()) return tell(file);
  return exit_ok;
}

/// Seconds of --at, or none after a report.
std::optional<double> start_time(const System& system, const std::string& text, Diagnostics& diagnostics) {
  if (text.empty()) return 0.0;
  return time_limit(system, text, diagnostics);
}

int linearize_diagram(const LinearizeArguments& arguments) {
  CommandDiagram loaded(arguments.diagram);
  std::optional<System> system = loaded.check(arguments.diagram.mode);
  std::optional<Linearization> result;
  OutputFiles files;
  std::optional<ModelFiles> tables;
  std::unique_ptr<OutputFile> picture;
  std::string stem;
  if (const std::string fault = arguments.bode.empty() ? "" : svg::fault_of_name(arguments.bode); !fault.empty()) {
    print_error(fault);
    return exit_usage;
  }
  if (system && is_hardware(*system)) {
    print_error("mode hardware cannot be linearised: its robot is no equation");
    return exit_usage;
  }
  if (system) {
    LinearizeOptions options{.from = arguments.from, .to = arguments.to, .step = arguments.step};
    stem = arguments.out;
    if (stem.empty()) {
      std::error_code failed;
      fs::create_directory("out", failed);
      stem = "out/" + fs::path(arguments.diagram.file).stem().string();
    }
    loaded.name_inputs(files, *system);
    tables = open_files(stem, files);
    if (!tables) return refused(files, "name another folder with --out");
    if (!arguments.bode.empty()) picture = files.open(arguments.bode, OutputKind::text);
    if (!arguments.bode.empty() && !picture) return refused(files, "name another file with --bode");
    const std::optional<double> time = start_time(*system, arguments.time, loaded.diagnostics());
    if (time) {
      options.time = *time;
      result = linearize(std::move(*system), options, loaded.diagnostics());
    }
  }
  print_diagnostics(loaded.diagnostics());
  if (!result) return exit_bad_file;
  std::printf("about the state at t = %s s\n", number(result->time).c_str());
  const LinearModel& model = result->continuous && !arguments.discrete ? *result->continuous : result->discrete;
  const std::vector<Pole> poles = model.poles_with_errors();
  print_model(model, poles);
  warn_of_kinks(model);
  if (!result->held.empty())
    std::printf("held, being no real numbers: %zu states, such as %s\n", result->held.size(),
                result->held.front().c_str());
  if (const Exit problem = write_model(*tables, model, poles, arguments); problem != exit_ok) return problem;
  std::printf("written  %s_{A,B,C,D,poles,response}.csv\n", stem.c_str());
  if (!picture) return exit_ok;
  std::string error;
  const std::string title =
      fs::path(loaded.arguments().file).stem().string() + " about t = " + number(result->time) + " s";
  if (!svg::write_picture(plot::figure_svg(bode_figure(model, arguments, title)), *picture, 2, error)) {
    print_error(error);
    return exit_failed_run;
  }
  std::printf("drawn    %s\n", arguments.bode.c_str());
  return exit_ok;
}

} // namespace

void add_linearize(Program& program) {
  Command command = program.command("linearize", "A, B, C, D, poles and frequency response about a state");
  auto arguments = std::make_shared<LinearizeArguments>();
  add_diagram_arguments(command, arguments->diagram);
  command.option("--from", arguments->from, "Signal to which the input is added; as often as wanted")
      .type_name("SIGNAL")
      .required()
      .repeated();
  command.option("--to", arguments->to, "Signal that is the output; as often as wanted")
      .type_name("SIGNAL")
      .required()
      .repeated();
  add_duration_option(command, arguments->time, "");
  command.get_option("--for").description("Simulated time before; without it about the initial state");
  command
      .option("--step", arguments->step, "Largest of the differences, relative to max(1, |x|); smaller ones are tried")
      .between(1e-12, 1.0);
  command.option("--lowest", arguments->lowest, "Lowest frequency of the response, rad/s").positive();
  command.option("--highest", arguments->highest, "Highest frequency of the response, rad/s").positive();
  command.option("--points", arguments->points, "Frequencies of the response").between(1, 100000);
  command.flag("--discrete", arguments->discrete, "The discrete model even where a continuous one exists");
  command.option("--out", arguments->out, "Beginning of the files' names; out/NAME if not given").type_name("PREFIX");
  command.option("--bode", arguments->bode, "Picture of the frequency response: .svg, .png or .pdf").type_name("FILE");
  command.footer(
      "The input is added to the signal for all who read it; loops around it stay closed. A signal is a block's\n"
      "output, or one element: rig.sensor.measured, arm.q[2]. Delays are discrete states; several sample times\n"
      "give the model from one common multiple to the next. States that reach no output are left out.\n"
      "Examples:\n"
      "  hilda linearize diagrams/emulation_transmissivity.xml --from lambda.y --to f.y --bode transmissivity.svg\n"
      "  hilda linearize diagrams/pic.xml --from rig.sensor.measured --to satellites.service.pose --for 1s");
  command.runs([arguments] { return linearize_diagram(*arguments); });
}

} // namespace hilda::cli

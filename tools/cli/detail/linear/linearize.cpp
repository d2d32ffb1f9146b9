// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/linearize.h"
#include "engine/analysis/channel.h"
#include "engine/diagram/suggestion.h"
#include "tools/cli/detail/linear/channel_pictures.h"
#include "tools/cli/detail/linear/channel_study.h"
#include "tools/cli/detail/linear/model_files.h"
#include "tools/cli/detail/linear/say.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/duration.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/graphics/figure.h"
#include "tools/graphics/picture_file.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

/// Pictures by the option that asks for each.
struct PictureNames {
  std::string bode, nyquist, step, poles;
};

struct LinearizeArguments {
  DiagramArguments diagram;
  std::vector<std::string> from, to;
  std::string loop, time, out;
  PictureNames pictures;
  double step = LinearizeOptions().step, lowest = 0, highest = 0, until = 0;
  int points = 200;
  bool discrete = false, margins = false;
};

/// Evenly over the decades, for the table.
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

void print_model(const LinearModel& model, const std::vector<Pole>& poles, bool all_poles) {
  if (model.period > 0)
    say("discrete, period {} s", model.period);
  else
    say("continuous");
  say(": {} states, {} inputs, {} outputs; A, B, C, D {}\n", model.A.rows(), model.B.cols(), model.C.rows(),
      !model.jumps.empty()   ? "not determined, at a jump"
      : !model.steep.empty() ? "not determined, where a slope has no bound"
                             : fmt::format("right to {:.1e}", model.error()));
  const std::size_t most = all_poles ? poles.size() : 12;
  for (std::size_t i = 0; i < std::min(most, poles.size()); ++i) {
    const auto [pole, error] = poles[i];
    const Mode mode = mode_of(model.continuous(pole));
    say("  pole {:14.7g} {:+14.7g}i   {:11.5g} rad/s, damping {:.4f}, {}\n", pole.real(), pole.imag(), mode.frequency,
        mode.damping,
        error < 1e-2 * std::max(1.0, std::abs(pole)) ? fmt::format("right to {:.0e}", error) : "not well determined");
  }
  if (poles.size() > most) say("  and {} more stable\n", poles.size() - most);
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

/// Coulomb friction at rest, a sign at 0, a comparison at its threshold: no linear model at all.
void warn_of_jumps(const LinearModel& model) {
  if (model.jumps.empty()) return;
  const auto [row, col] = model.jumps.front();
  print_warning(fmt::format(
      "the state is at a jump: {} entries leap, however small the change, first {}; no linear model exists there, and "
      "the result is the slope next to the leap\nhelp: linearise where it is away from the jump (a friction that "
      "slides, a signal that is not at its threshold): --for TIME, or other values",
      model.jumps.size(), model.entry_name(row, col)));
}

/// A root at 0, such as the flow through an orifice without a pressure difference; a pole next to the state.
void warn_of_steep(const LinearModel& model) {
  if (model.steep.empty()) return;
  const auto [row, col] = model.steep.front();
  print_warning(fmt::format(
      "the slope of {} entries grows as the step shrinks, first {}; no linear model exists there, and the result "
      "depends on the step\nhelp: linearise away from the root or the pole (a flow through an orifice that is not "
      "0, a divisor that is not near 0): --for TIME, or other values",
      model.steep.size(), model.entry_name(row, col)));
}

/// A line that fills, a count: what depends on it is another a tick later.
void warn_of_moving(const Linearization& result) {
  if (result.moving.empty()) return;
  print_warning(
      fmt::format("the next tick changes {}, which the model holds as at t = {} s: it is one of this moment, and "
                  "a delay line that still fills passes nothing on in it\nhelp: linearise later, --for TIME, "
                  "when nothing of it changes any more",
                  listed(result.moving, 4), result.time));
}

/// There the loop is open, whatever its controller is worth inside.
void warn_of_limits(const Linearization& result) {
  if (result.at_limit.empty()) return;
  print_warning(fmt::format("at its limit, where it passes no small change on, is {}\nhelp: linearise at a time, or "
                            "with values, at which it is inside: --for TIME",
                            listed(result.at_limit, 4)));
}

/// Of a loop that a limit holds open: why its margins would be no answer.
std::string no_way(const Linearization& result) {
  return result.at_limit.empty() ? "" : fmt::format("{} passes no small change on", listed(result.at_limit, 2));
}

/// Several rates in one loop: what comes back depends on which of a period's ticks it was sent at.
void warn_of_rates(const Linearization& result, const LinearModel& model) {
  if (result.signal_holds || model.period == 0) return;
  print_warning(fmt::format(
      "the loop at {} acts more than once in its period of {} s, the common multiple of its sample times: A, B, C, D, "
      "poles and response hold the signal for as long, which the running loop does not. {}\nhelp: open the loop where "
      "its slowest part samples or puts out, with a sample time that is a multiple of the others",
      model.inputs.front(), model.period,
      result.by_ticks ? "Gain margins are those of the closed loop itself, by ticks"
                      : "Margins are not known: these are too many ticks"));
}

/// By the entries that are not zero: does an input reach an output?
bool reaches(const LinearModel& model, Eigen::Index input, Eigen::Index output) {
  if (model.D(output, input) != 0) return true;
  std::vector<Eigen::Index> found;
  std::vector<bool> seen(static_cast<std::size_t>(model.A.rows()), false);
  const auto take = [&](Eigen::Index state, double entry) {
    if (entry == 0 || seen[static_cast<std::size_t>(state)]) return;
    seen[static_cast<std::size_t>(state)] = true;
    found.push_back(state);
  };
  for (Eigen::Index i = 0; i < model.B.rows(); ++i) take(i, model.B(i, input));
  for (std::size_t at = 0; at < found.size(); ++at) {
    const Eigen::Index state = found[at];
    if (model.C(output, state) != 0) return true;
    for (Eigen::Index i = 0; i < model.A.rows(); ++i) take(i, model.A(i, state));
  }
  return false;
}

/// Signals the wrong way round, or of parts that have nothing to do with each other.
void warn_of_nothing(const Linearization& result, const LinearModel& model) {
  if (!result.moving.empty() || !result.at_limit.empty()) return; // reported already why
  for (Eigen::Index j = 0; j < model.D.cols(); ++j)
    for (Eigen::Index i = 0; i < model.D.rows(); ++i)
      if (reaches(model, j, i)) return;
  print_warning(
      fmt::format("nothing leads from {} to {}: their response is zero\nhelp: name first what acts, then what "
                  "answers; or another state, --for TIME",
                  model.inputs.front(), model.outputs.front()));
}

/// Seconds of --for, or none after a report.
std::optional<double> start_time(const System& system, const std::string& text, Diagnostics& diagnostics) {
  if (text.empty()) return 0.0;
  return time_limit(system, text, diagnostics);
}

/// A picture that was asked for, opened before the work.
struct OpenPicture {
  std::unique_ptr<OutputFile> file;
  std::string name, option;
};

/// Empty where one cannot be made; `problem` says how the program ends then.
std::vector<OpenPicture> open_pictures(const PictureNames& names, OutputFiles& files, std::optional<Exit>& problem) {
  std::vector<OpenPicture> all;
  for (const auto& [name, option] : {std::pair(names.bode, "--bode"), std::pair(names.nyquist, "--nyquist"),
                                     std::pair(names.step, "--step-response"), std::pair(names.poles, "--poles")}) {
    if (name.empty()) continue;
    if (const std::string fault = svg::fault_of_name(name); !fault.empty()) {
      print_error(fault);
      problem = exit_usage;
      return {};
    }
    auto file = files.open(name, OutputKind::text, FileContent::picture);
    if (!file) {
      problem = refused(files, fmt::format("name another file with {}", option));
      return {};
    }
    all.push_back({std::move(file), name, option});
  }
  return all;
}

plot::Figure figure_of(const std::string& option, const LinearModel& model, const std::vector<Pole>& poles,
                       const std::vector<ChannelStudy>& channels, const std::string& title) {
  if (option == "--bode") return bode_figure(channels, title);
  if (option == "--nyquist") return nyquist_figure(channels, title);
  if (option == "--poles") return pole_figure(model, poles, title);
  return step_figure(channels, title);
}

/// What was asked for, opened before anything is computed.
struct Outputs {
  std::string stem;
  ModelFiles tables;
  std::vector<OpenPicture> pictures;
};

std::optional<Outputs> open_outputs(const LinearizeArguments& arguments, OutputFiles& files,
                                    std::optional<Exit>& problem) {
  std::string stem = arguments.out;
  if (stem.empty()) {
    std::error_code failed;
    fs::create_directory("out", failed);
    stem = "out/" + fs::path(arguments.diagram.file).stem().string();
  }
  std::optional<ModelFiles> tables = ModelFiles::open(stem, arguments.margins, !arguments.pictures.step.empty(), files);
  if (!tables) {
    problem = refused(files, "name another folder with --out");
    return std::nullopt;
  }
  std::vector<OpenPicture> pictures = open_pictures(arguments.pictures, files, problem);
  if (problem) return std::nullopt;
  return Outputs{stem, std::move(*tables), std::move(pictures)};
}

/// Prints, writes and draws what was asked for.
int tell(const LinearizeArguments& arguments, const Linearization& result, const std::string& name, Outputs outputs) {
  const bool opened = !arguments.loop.empty();
  say("about the state at t = {} s\n", result.time);
  const bool in_time = result.continuous && !arguments.discrete;
  const LinearModel& running = in_time ? *result.continuous : result.discrete;
  const LinearModel& model = !opened ? running : in_time ? *result.opened_continuous : *result.opened_discrete;
  if (opened) say("the loop opened at {}: L, closed with -1\n", model.inputs.front());
  const std::vector<Pole> poles = model.poles_with_errors();
  print_model(model, poles, !arguments.pictures.poles.empty());
  warn_of_kinks(model);
  warn_of_jumps(model);
  warn_of_steep(model);
  warn_of_moving(result);
  warn_of_limits(result);
  warn_of_nothing(result, model);
  warn_of_rates(result, model);
  if (!result.held.empty())
    say("held, being no real numbers: {} states, such as {}{}\n", result.held.size(), result.held.front(),
        result.counting.empty() ? "" : fmt::format("; counted on at each tick: {}", listed(result.counting, 4)));
  const PictureNames& pictures = arguments.pictures;
  const LinearModel closed = opened ? channel(running, 0, 0) : LinearModel();
  const StudyWishes wishes{.response = !pictures.bode.empty() || !pictures.nyquist.empty(),
                           .margins = arguments.margins,
                           .step = !pictures.step.empty(),
                           .lowest = arguments.lowest,
                           .highest = arguments.highest,
                           .until = arguments.until,
                           .signal_holds = result.signal_holds || model.period == 0,
                           .by_ticks = result.by_ticks ? &*result.by_ticks : nullptr,
                           .closed = opened ? &closed : nullptr,
                           .no_way = opened ? no_way(result) : ""};
  const bool studied = wishes.response || wishes.margins || wishes.step;
  const std::vector<ChannelStudy> channels =
      studied ? study_channels(model, wishes, opened) : std::vector<ChannelStudy>();
  for (const ChannelStudy& study : channels) print_study(study);
  outputs.tables.model(model, poles);
  outputs.tables.response(model, frequencies_of(model, arguments));
  if (wishes.margins) outputs.tables.margins(channels);
  if (wishes.step) outputs.tables.steps(channels);
  if (const Exit problem = outputs.tables.write(); problem != exit_ok) return problem;
  say("written  {}_{}.csv\n", outputs.stem, outputs.tables.names());
  for (OpenPicture& picture : outputs.pictures) {
    const std::string reserved = reservation(channels); // first: what does not fit is cut out of a title's middle
    const std::string title =
        reserved.empty() ? fmt::format("{} about t = {} s", name, result.time) : "NO ANSWER: " + reserved;
    std::string error;
    if (!svg::write_picture(plot::figure_svg(figure_of(picture.option, model, poles, channels, title)), *picture.file,
                            2, error)) {
      print_error(error);
      return exit_failed_run;
    }
    say("drawn    {}\n", picture.name);
  }
  return exit_ok;
}

/// The fault of the options; empty: nothing.
std::string fault_of(const LinearizeArguments& arguments) {
  const bool channel = !arguments.from.empty() || !arguments.to.empty();
  if (!arguments.loop.empty() && channel)
    return "--loop opens a loop at one signal, --from and --to leave loops closed\nhelp: give one or the other";
  if (arguments.loop.empty() && (arguments.from.empty() || arguments.to.empty()))
    return "give the signals: --from SIGNAL and --to SIGNAL, or --loop SIGNAL";
  if (arguments.until > 0 && arguments.pictures.step.empty())
    return "--until is the time of the step response, which is not asked for\nhelp: --step-response FILE";
  if (arguments.lowest > 0 && arguments.highest > 0 && arguments.lowest >= arguments.highest)
    return fmt::format("--lowest {} is not below --highest {}", arguments.lowest, arguments.highest);
  return "";
}

int linearize_diagram(const LinearizeArguments& arguments) {
  if (const std::string fault = fault_of(arguments); !fault.empty()) {
    print_error(fault);
    return exit_usage;
  }
  CommandDiagram loaded(arguments.diagram);
  std::optional<System> system = loaded.check(arguments.diagram.mode);
  std::optional<Linearization> result;
  std::optional<Outputs> outputs;
  OutputFiles files;
  if (system && is_hardware(*system)) {
    print_error("mode hardware cannot be linearised: its robot is not an equation");
    return exit_usage;
  }
  if (system) {
    LinearizeOptions options{
        .from = arguments.from, .to = arguments.to, .step = arguments.step, .loop = arguments.loop};
    loaded.name_inputs(files, *system);
    std::optional<Exit> problem;
    outputs = open_outputs(arguments, files, problem);
    if (problem) return *problem;
    const std::optional<double> time = start_time(*system, arguments.time, loaded.diagnostics());
    if (time) {
      options.time = *time;
      result = linearize(std::move(*system), options, loaded.diagnostics());
    }
  }
  print_diagnostics(loaded.diagnostics());
  if (!result) return exit_bad_file;
  return tell(arguments, *result, fs::path(loaded.arguments().file).stem().string(), std::move(*outputs));
}

} // namespace

void add_linearize(Program& program) {
  Command command = program.command("linearize", "A, B, C, D, poles, margins and responses about a state");
  auto arguments = std::make_shared<LinearizeArguments>();
  add_diagram_arguments(command, arguments->diagram);
  command.option("--from", arguments->from, "Signal to which the input is added; repeatable")
      .type_name("SIGNAL")
      .repeated();
  command.option("--to", arguments->to, "Signal that is the output; repeatable").type_name("SIGNAL").repeated();
  command.option("--loop", arguments->loop, "Instead of these: the loop opened at one number, for negative feedback")
      .type_name("SIGNAL");
  add_duration_option(command, arguments->time, "");
  command.get_option("--for").description("Simulated time before; without it about the initial state");
  command
      .option("--step", arguments->step, "Largest of the differences, relative to max(1, |x|); smaller ones are tried")
      .between(1e-12, 1.0);
  command.option("--lowest", arguments->lowest, "Lowest frequency of the response, rad/s").positive();
  command.option("--highest", arguments->highest, "Highest frequency of the response, rad/s").positive();
  command.option("--points", arguments->points, "Frequencies of the response's table").between(1, 100000);
  command.flag("--discrete", arguments->discrete, "The discrete model even where a continuous one exists");
  command.option("--out", arguments->out, "Beginning of the files' names; out/NAME if not given").type_name("PREFIX");
  command.flag("--margins", arguments->margins, "Gain, phase and delay margins of each channel, closed with -1");
  const auto picture = [&](const char* option, std::string& name, const char* text) {
    command.option(option, name, text).type_name("FILE");
  };
  PictureNames& pictures = arguments->pictures;
  picture("--bode", pictures.bode,
          "Picture of magnitude and phase: .svg, .png or .pdf; bandwidth and peak are printed");
  picture("--nyquist", pictures.nyquist, "Picture of the response in the plane, with -1");
  picture("--step-response", pictures.step,
          "Picture of the answer to a step; rise, overshoot and settling are printed");
  picture("--poles", pictures.poles, "Picture of the poles; all are printed");
  command.option("--until", arguments->until, "Time of the step response, s; until it is over if not given").positive();
  command.footer(
      "The input is added to the signal for all who read it; loops around it stay closed. --loop opens the loop there\n"
      "and leaves all others closed: margins are those of this loop. A signal is what hilda plot takes: an output, a\n"
      "port of a subsystem, a part or an element: rig.wrench.force.x, arm.q[2]. Delays are discrete states, and "
      "exact;\n"
      "several sample times give the model from one common multiple to the next. States that reach no output are left\n"
      "out.\n"
      "Examples:\n"
      "  hilda linearize diagrams/emulation_transmissivity.xml --from lambda.y --to f.y --bode transmissivity.svg\n"
      "  hilda linearize examples/models/smith_predictor.xml --for 2s --loop pi.command --margins --nyquist smith.svg\n"
      "  hilda linearize diagrams/pic.xml --from rig.sensor.measured --to satellites.service.pose --for 1s");
  command.runs([arguments] { return linearize_diagram(*arguments); });
}

} // namespace hilda::cli

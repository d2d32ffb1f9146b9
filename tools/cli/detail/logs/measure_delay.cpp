// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/follow.h"
#include "engine/log/log.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/run/run.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

struct MeasureArguments {
  RunArguments run;
  std::string from, out = "out/measured_delay.xml";
};

/// What a run of measure_delay.xml recorded.
struct Motion {
  FollowRecord record;
  std::vector<double> force;     ///< N, along the line
  std::optional<double> payload; ///< kg, as the rig has it
};

/// A signal at every tick from 0 on; the few of which a busy log has nothing lie between their neighbours.
std::vector<double> every_tick(const Signal& signal, std::string& problem) {
  const std::vector<std::int64_t>& ticks = signal.ticks();
  const std::vector<double> given = signal.column();
  if (ticks.empty()) {
    problem = "holds no sample";
    return {};
  }
  std::vector<double> values(static_cast<std::size_t>(ticks.back() + 1), given.front());
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const std::int64_t gap = ticks[i] - ticks[i - 1];
    for (std::int64_t k = 1; k <= gap; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(gap);
      values[static_cast<std::size_t>(ticks[i - 1] + k)] = given[i - 1] + share * (given[i] - given[i - 1]);
    }
  }
  if (values.size() > ticks.size() + ticks.size() / 100)
    problem = fmt::format("lacks {} of {} ticks", values.size() - ticks.size(), values.size());
  return values;
}

/// The rig's payload_mass, from the parameters that the log keeps.
std::optional<double> payload_mass(const LogSchema& schema) {
  const auto found = schema.metadata.find("parameters");
  if (found == schema.metadata.end()) return std::nullopt;
  const auto parameters = nlohmann::json::parse(found->second, nullptr, false);
  if (!parameters.is_object()) return std::nullopt;
  for (const auto& [name, value] : parameters.items())
    if (name.ends_with(".payload_mass") && value.is_number()) return value.get<double>();
  return std::nullopt;
}

std::optional<Motion> read_motion(const std::string& path, std::string& problem) {
  std::optional<Log> log = Log::open(path, problem);
  if (!log) return std::nullopt;
  const auto signals = log->signals({"motion.travel", "reported.y", "felt.y"}, problem);
  if (!signals) {
    problem += "\nhelp: only a log of measure_delay.xml has what is looked for";
    return std::nullopt;
  }
  Motion motion;
  motion.record.period = log->schema().period.value();
  motion.payload = payload_mass(log->schema());
  motion.record.commanded = every_tick((*signals)[0], problem);
  motion.record.actual = every_tick((*signals)[1], problem);
  motion.force = every_tick((*signals)[2], problem);
  if (problem.empty()) return motion;
  problem = path + " " + problem;
  return std::nullopt;
}

std::string with_scatter(const Estimate& e, double scale, const char* unit) {
  return fmt::format("{:.4g} {}+- {:.2g}", e.value * scale, unit, e.half_width * scale);
}

constexpr double in_ms = 1e3, in_hz = 0.5 / std::numbers::pi;
constexpr double example = 4.0; ///< Hz, of the contact whose energy is printed

/// The delays of the loop, each by itself, s. Half a cycle is what the integrators zoh and rk4 make of a force that is
/// held for a cycle.
struct DelaysApart {
  double robot = 0, cycle = 0;
  std::optional<double> force;
  double together() const { return robot + cycle + force.value_or(0.0); }
};

/// The robot's is its phase at the contact's frequency.
DelaysApart delays_apart(const FollowEstimate& follow, const SensorEstimate& sensor, double period,
                         const std::string& doubtful) {
  const double w = example / in_hz, wn = follow.natural_frequency.value, ratio = w / wn;
  DelaysApart apart;
  apart.robot = follow.dead_time.value;
  if (follow.second_order) apart.robot += std::atan2(2.0 * follow.damping_ratio.value * ratio, 1.0 - ratio * ratio) / w;
  apart.cycle = period / 2.0;
  if (sensor.known && doubtful.empty()) apart.force = std::max(0.0, sensor.delay.value);
  return apart;
}

/// What a delay makes of the energy of a contact without a damper, in per cent: exp(pi p (1 - p^2/4)) with p = w delay,
/// a fit to the closed form within 0.6 % up to p = 0.5 (docs/results/validation/delays.md).
std::string made_energy(double delay) {
  const double p = delay * example / in_hz;
  if (!(p < 0.6)) return "more than doubles it";
  return fmt::format("{:+.3g} %", 100.0 * std::expm1(std::numbers::pi * p * (1.0 - p * p / 4.0)));
}

std::string delay_and_energy(double delay) { return fmt::format("{:.4g} ms, {}", delay * in_ms, made_energy(delay)); }

void print_apart(const DelaysApart& apart) {
  const auto line = [](const char* what, const std::string& value, const char* more) {
    std::printf("  %-16s %-22s %s\n", what, value.c_str(), more);
  };
  std::printf("delays apart       and the energy that each makes in a contact of %g Hz without a damper\n", example);
  line("robot", delay_and_energy(apart.robot), "its phase at that frequency");
  line("force", apart.force ? delay_and_energy(*apart.force) : "unknown", "behind the reported motion");
  line("cycle", delay_and_energy(apart.cycle), "half a cycle; the integrators variational and symplectic make none");
  line("together", delay_and_energy(apart.together()), apart.force ? "" : "without that of the force");
}

/// The delay to set in an energy ledger, and the effect of the scatter on it: where force and motion are d apart, each
/// contact changes the speed by pi w d/2. Where the scatter is wide, how much more motion narrows it.
void print_alignment(const Estimate& delay) {
  constexpr double wanted = 0.05e-3; // s
  const double doubt = delay.half_width, a_contact = 0.5 * std::numbers::pi * example / in_hz * doubt;
  std::printf(
      "energy ledger      --set alignment=%.4gms --set alignment_error=%.2gms; up to %.2g %% of speed a contact "
      "at %g Hz\n",
      delay.value * in_ms, doubt * in_ms, 100.0 * a_contact, example);
  if (doubt > wanted)
    std::printf("                   for +- 0.05 ms: a sweep %.2g times as long, or %.2g times the payload or "
                "acceleration\n",
                doubt * doubt / (wanted * wanted), doubt / wanted);
}

void print(const FollowEstimate& follow, const SensorEstimate& sensor) {
  const auto line = [](const char* what, const std::string& value, const char* more) {
    std::printf("%-18s %-22s %s\n", what, value.c_str(), more);
  };
  line("dead time", with_scatter(follow.dead_time, in_ms, "ms "), "of the reported motion behind the command");
  if (follow.second_order) {
    line("natural frequency", with_scatter(follow.natural_frequency, in_hz, "Hz "), "");
    line("damping ratio", with_scatter(follow.damping_ratio, 1, ""), "");
  } else {
    line("second order", "none", "that could be distinguished from dead time");
  }
  line("gain", with_scatter(follow.gain, 1, ""), "");
  if (sensor.known) {
    line("sensor delay", with_scatter(sensor.delay, in_ms, "ms "), "of the force behind the reported motion");
    line("payload", with_scatter(sensor.mass, 1, "kg "), "that explains the force");
    print_alignment(sensor.delay);
  } else {
    line("sensor delay", "unknown", "the payload's inertia does not stand out of the force");
  }
  std::printf("left over          %.2g um of %.3g mm; +- is chance alone,\n"
              "                   two deviations of what noise makes of it, and not what the model lacks\n",
              follow.residual * 1e6, follow.motion * 1e3);
  if (follow.left_out > 0)
    std::printf("left out           %zu samples that are outliers, as after a lost cycle\n", follow.left_out);
}

std::string setting(const char* path, const std::string& value, const std::string& why) {
  return fmt::format("  <set path=\"{}\" value=\"{}\"/> <!-- {} -->\n", path, value, why);
}

/// What makes a simulation behave as the robot did.
std::string overlay(const FollowEstimate& follow, const SensorEstimate& sensor, double period,
                    const std::string& doubtful, const std::string& source) {
  const DelaysApart apart = delays_apart(follow, sensor, period, doubtful);
  std::string text = "<overlay format=\"1\">\n  <!-- Written by hilda measure-delay from " + source +
                     ". +- is chance alone, two deviations, and not what the model lacks. -->\n";
  text +=
      fmt::format("  <!-- A contact of {} Hz without a damper, and the energy that each delay makes of it: robot {}; "
                  "force {}; cycle {}; together {}. -->\n",
                  example, delay_and_energy(apart.robot), apart.force ? delay_and_energy(*apart.force) : "unknown",
                  delay_and_energy(apart.cycle), delay_and_energy(apart.together()));
  text += setting("period", fmt::format("{:.6g} ms", period * in_ms), "the robot's cycle");
  const std::string measured = "measured " + with_scatter(follow.dead_time, in_ms, "ms ");
  text +=
      setting("response_delay", fmt::format("{:.6g} ms", follow.simulated_dead_time(period) * in_ms),
              follow.second_order ? measured + "; half a cycle of it is the simulated second order's own" : measured);
  if (follow.second_order) {
    text += setting("natural_frequency", fmt::format("{:.6g} Hz", follow.natural_frequency.value * in_hz),
                    "+- " + fmt::format("{:.2g} Hz", follow.natural_frequency.half_width * in_hz));
    text += setting("damping_ratio", fmt::format("{:.6g}", follow.damping_ratio.value),
                    "+- " + fmt::format("{:.2g}", follow.damping_ratio.half_width));
  } else {
    text += setting("natural_frequency", "0 Hz", "none could be distinguished from dead time");
  }
  if (!doubtful.empty())
    text += "  <!-- sensor_delay: not to be believed, " + doubtful + " -->\n";
  else if (sensor.known)
    text += setting("sensor_delay", fmt::format("{:.6g} ms", std::max(0.0, sensor.delay.value) * in_ms),
                    "measured " + with_scatter(sensor.delay, in_ms, "ms "));
  else
    text += "  <!-- sensor_delay: unknown, the payload's inertia does not stand out of the force -->\n";
  text += setting("fractional", "interpolate", "delays are not whole cycles");
  return text + "</overlay>\n";
}

void make_folder_of(const std::string& path) {
  std::error_code failed; // opening the file says so
  if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) fs::create_directories(folder, failed);
}

int evaluate(const MeasureArguments& arguments, const std::string& log, OutputFile& out) {
  std::string problem;
  const std::optional<Motion> motion = read_motion(log, problem);
  if (!motion) {
    print_error(problem);
    return exit_bad_file;
  }
  const FollowEstimate follow = identify_follow(motion->record, problem);
  if (!problem.empty()) {
    print_error("nothing can be measured from " + log + ": " + problem +
                "\nhelp: let the robot move farther (--set amplitude=, --set speed=, --set acceleration=), and free of "
                "contact; 'hilda plot' shows motion.travel and reported.y");
    return exit_failed_run;
  }
  const SensorEstimate sensor = identify_sensor(motion->record, follow, motion->force);
  print(follow, sensor);
  const std::string doubtful = doubt(sensor, motion->payload);
  print_apart(delays_apart(follow, sensor, motion->record.period, doubtful));
  if (!doubtful.empty())
    std::fprintf(stderr, "%s the sensor's delay is not to be believed, and is not written: %s\n",
                 on_stderr(Ink::yellow, "warning:").c_str(), doubtful.c_str());
  if (std::abs(follow.gain.value - 1.0) > 0.05)
    std::fprintf(stderr, "%s the robot moves %.3g times as far as commanded: check its TOOL and BASE, and the units\n",
                 on_stderr(Ink::yellow, "warning:").c_str(), follow.gain.value);
  const std::string text = overlay(follow, sensor, motion->record.period, doubtful, log);
  if (const Exit exit = finish(out, text); exit != exit_ok) return exit;
  std::printf("overlay            %s\n", arguments.out.c_str());
  return exit_ok;
}

/// The overlay is looked at before the robot moves, and is neither a log nor what is read.
int measure(MeasureArguments arguments) {
  OutputFiles files;
  for (const std::string& each :
       {arguments.from, arguments.run.log, arguments.run.diagram.file, arguments.run.diagram.rig})
    files.reads(each);
  for (const std::string& each : arguments.run.diagram.overlays) files.reads(each);
  make_folder_of(arguments.out);
  const auto out = files.open(arguments.out, OutputKind::text, FileContent::overlay);
  if (!out) return refused(files, "name another file with --out");
  if (!arguments.from.empty()) return evaluate(arguments, arguments.from, *out);
  RunArguments& run = arguments.run;
  if (run.diagram.file.empty()) run.diagram.file = installation().library_file("measure_delay.xml");
  if (run.diagram.file.empty()) {
    print_error(
        "the diagram measure_delay.xml did not come with this program\nhelp: name it: hilda measure-delay FILE");
    return exit_usage;
  }
  if (run.diagram.mode == "hardware" && !run.paced.arm) {
    print_error(
        "the robot has to move for this\nhelp: clear its surroundings, look at the limits of the motion "
        "(--set amplitude=, speed=, acceleration=), then add --arm; or try it on the simulated robot with --mode sim");
    return exit_usage;
  }
  if (run.log.empty()) run.log = "out/measure_delay.mcap";
  make_folder_of(run.log);
  if (const int exit = run_diagram(run); exit != exit_ok) return exit;
  return evaluate(arguments, run.log, *out);
}

} // namespace

void add_measure_delay(Program& program) {
  Command command = program.command(
      "measure-delay", "Moves the robot, measures how late it and its sensor are, and writes that for simulation");
  auto arguments = std::make_shared<MeasureArguments>();
  RunArguments& run = arguments->run;
  run.diagram.mode = "hardware";
  add_diagram_arguments(command, run.diagram);
  command.get_option("DIAGRAM").required(false).description("Diagram to run; measure_delay.xml if not given");
  add_paced_arguments(command, run.paced);
  command.option("--log", run.log, "Log of the motion; out/measure_delay.mcap if not given").type_name("FILE");
  command.option("--from", arguments->from, "Evaluate this log of an earlier measurement; nothing moves")
      .type_name("LOG");
  command.option("-o,--out", arguments->out, "Overlay to write; out/measured_delay.xml if not given").type_name("FILE");
  command.flag("--quiet", run.quiet, "Print errors and the result only");
  command.footer(
      "The robot moves back and forth along a line (direction) with growing frequency (from, to) for the time 'sweep', "
      "within\n"
      "amplitude, speed and acceleration: parameters of measure_delay.xml. Free it of every contact first.\n"
      "Examples:\n"
      "  hilda measure-delay --rig diagrams/rigs/kuka_ati.xml --overlay mycell.xml --arm\n"
      "  hilda measure-delay --overlay mycell.xml --set amplitude=5mm --set acceleration=1m/s2 --arm\n"
      "  hilda measure-delay --from out/measure_delay.mcap\n"
      "  hilda run diagrams/pida.xml --overlay out/measured_delay.xml");
  command.runs([arguments] { return measure(*arguments); });
}

} // namespace hilda::cli

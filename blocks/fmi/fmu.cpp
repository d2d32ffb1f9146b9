// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/fmi/fmu_body.h"
#include "blocks/fmi/slave.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <hilda/block.h>
#include <hilda/flags.h>
#include <hilda/ports.h>
#include <memory>

// fmi/Fmu: its slots are those that the diagram declares, so it uses the C interface, as math/Equations does.

namespace fmu {

using Declared = Body::Declared;

/// What a record has open.
struct Running {
  std::unique_ptr<hilda::fmi::Unpacked> files;
  std::unique_ptr<Slave> slave;
  std::vector<Place> places;                   ///< as Body::declared
  std::vector<std::vector<unsigned char>> set; ///< the live parameters as they were set last
  std::string words, path, saved;
};

} // namespace fmu

namespace {

using namespace fmu;

RecordHead& head_of(void* record) { return *static_cast<RecordHead*>(record); }
template <class T> T& at(void* record, std::uint64_t offset) {
  return *reinterpret_cast<T*>(static_cast<char*>(record) + offset);
}
const void* numbers_of(void* record, const Declared& of) {
  return of.role == HILDA_INPUT ? at<const void*>(record, of.at) : &at<char>(record, of.at);
}

std::string of_fmu(const Running& running) {
  return "the FMU " + running.files->model().name + " (instance " + running.path + "): ";
}

/// Before the loop: what the FMU refuses becomes a report. True: it did not.
template <class Work> bool reported(const hilda_instance* self, const char* slot, Running* running, Work&& work) {
  std::string text;
  try {
    work();
    return true;
  } catch (const Refusal& refusal) { text = refusal.what(); } catch (const std::exception& thrown) {
    text = thrown.what();
  }
  if (running != nullptr && running->files != nullptr) text.insert(0, of_fmu(*running));
  self->report(self->engine, slot, text.c_str());
  return false;
}

/// In the loop: it ends the run.
template <class Work> void run_or_fail(void* record, const hilda_tick* now, Work&& work) {
  Running& running = *head_of(record).running;
  hilda_control& control = *now->control;
  if (control.verdict >= HILDA_FAIL) return;
  try {
    work(running);
    return;
  } catch (const Refusal& refusal) {
    running.words = of_fmu(running) + refusal.what();
  } catch (const std::exception& thrown) { running.words = of_fmu(running) + thrown.what(); }
  char time[40];
  std::snprintf(time, sizeof time, ", at %.9g s", now->time);
  if (running.words.find(" at ") == std::string::npos) running.words += time;
  control.verdict = HILDA_FAIL, control.record = record, control.text = running.words.c_str(), control.value = NAN;
}

/// Which of its numbers the FMU calls the choice with this index.
std::int64_t value_of_choice(const ForeignVariable& variable, std::int64_t index) {
  return variable.items.at(static_cast<std::size_t>(index)).second;
}

void set_one(Running& running, void* record, std::size_t index) {
  const Declared& of = head_of(record).body->declared()[index];
  const void* const numbers = numbers_of(record, of);
  if (numbers == nullptr) return; // no wire: the FMU keeps its start value
  if (of.element == HILDA_CHOICE) {
    const std::int64_t value = value_of_choice(*running.places[index].variable, at<std::int64_t>(record, of.at));
    return running.slave->set(running.places[index], &value);
  }
  running.slave->set(running.places[index], numbers);
}

/// The variable of the FMU that an element declares; throws Refusal where it is another.
Place match(const hilda::fmi::ForeignModel& model, const Declared& declared) {
  const ForeignVariable* const found = model.find(declared.variable);
  const std::string who = "'" + declared.variable + "'";
  const char* const again = "; run hilda import-fmu again";
  if (found == nullptr) throw Refusal("it has no variable " + who + again);
  const char* const role = declared.role == HILDA_INPUT    ? "input"
                           : declared.role == HILDA_OUTPUT ? "output"
                                                           : "parameter";
  const bool shown = declared.role == HILDA_OUTPUT && (found->is("local") || found->is("calculatedParameter"));
  if (!found->is(role) && !shown)
    throw Refusal("its variable " + who + " is of causality " + found->causality + ", and the block declares it as " +
                  role + again);
  const std::string why = hilda::fmi::why_not_shown(*found);
  if (!why.empty()) throw Refusal("its variable " + who + " " + why + again);
  std::uint32_t element = HILDA_I64;
  if (found->cell == Cell::f64 || found->cell == Cell::f32) element = HILDA_F64;
  if (found->cell == Cell::u64) element = HILDA_U64;
  if (found->cell == Cell::boolean) element = HILDA_U8;
  if (found->cell == Cell::text) element = HILDA_TEXT;
  if (declared.element == HILDA_CHOICE && found->enumeration) element = HILDA_CHOICE;
  if (element != declared.element)
    throw Refusal("its variable " + who + " is of another kind than the block declares" + again);
  const auto count = [](const std::string& words) { return std::count(words.begin(), words.end(), '|') + 1; };
  if (element == HILDA_CHOICE && count(declared.choices) != std::ssize(found->items))
    throw Refusal("its variable " + who + " has " + std::to_string(found->items.size()) +
                  " choices, and the block declares " + std::to_string(count(declared.choices)) + again);
  const auto side = [&](std::size_t i) {
    return i < found->dimensions.size() ? static_cast<std::int64_t>(found->dimensions[i]) : 1;
  };
  if (side(0) != declared.rows || side(1) != declared.cols)
    throw Refusal("its variable " + who + " has the shape " + std::to_string(side(0)) + " by " +
                  std::to_string(side(1)) + ", and the block declares " + std::to_string(declared.rows) + " by " +
                  std::to_string(declared.cols) + again);
  return {found, declared.factor, declared.offset, declared.rows, declared.cols};
}

void refuse_step(const hilda::fmi::ForeignModel& model, double period) {
  if (model.variable_step || !model.fixed_step) return;
  const double steps = period / *model.fixed_step;
  if (steps > 0.5 && std::abs(steps - std::round(steps)) < 1e-6 * steps) return;
  char text[160];
  std::snprintf(text, sizeof text,
                "the block's sample time is %.9g s, and the FMU's steps are multiples of %.9g s: give the block such a "
                "sample_time",
                period, *model.fixed_step);
  throw Refusal(text);
}

void open(void* record, const hilda_instance* self, Running& running) {
  const Body& body = *head_of(record).body;
  running.path = self->path;
  hilda::fmi::Fault fault;
  running.files = hilda::fmi::Unpacked::open(at<const char*>(record, body.file_at()), fault);
  if (running.files == nullptr)
    throw Refusal((fault.line > 0 ? "modelDescription.xml:" + std::to_string(fault.line) + ": " : std::string()) +
                  fault.what + "; " + fault.help);
  const hilda::fmi::ForeignModel& model = running.files->model();
  refuse_step(model, self->period);
  std::vector<Place> in, out;
  for (const Declared& each : body.declared()) {
    running.places.push_back(match(model, each));
    (each.role == HILDA_OUTPUT ? out : in).push_back(running.places.back());
  }
  for (const Declared& output : body.declared())
    for (const Declared& input : body.declared())
      if (output.role == HILDA_OUTPUT && !output.direct && input.role == HILDA_INPUT &&
          model.feeds_through(*model.find(input.variable), *model.find(output.variable)))
        throw Refusal("its output '" + output.variable + "' depends on the input '" + input.variable +
                      "' at the same time, and the block does not say feeds_through; run hilda import-fmu again");
  if (body.saves_state() && !model.saves_state)
    throw Refusal("the block says that it saves its state, and it does not; run hilda import-fmu again");
  running.slave = std::make_unique<Slave>(*running.files, running.path);
  const std::string missing = running.slave->missing(in, out);
  if (!missing.empty())
    throw Refusal("its library has no function " + missing + ", which its variables need; export the FMU again");
  if (body.saves_state() && !running.slave->keeps_state())
    throw Refusal("it says that it saves its state, and its library lacks functions for that: remove "
                  "<state name=\"saved\"/>, and checkpoints are refused");
}

void close(void* record) {
  delete head_of(record).running;
  head_of(record).running = nullptr;
}

std::int32_t configure(void* record, const hilda_instance* self) {
  close(record);
  if (self->continuous != 0) {
    self->report(self->engine, nullptr,
                 "an FMU steps at samples and cannot be continuous: give the block a sample_time, or put a "
                 "discrete/ZeroOrderHold before its inputs");
    return 1;
  }
  auto running = std::make_unique<Running>();
  if (!reported(self, "file", running.get(), [&] { open(record, self, *running); })) return 1;
  running->set.resize(running->places.size());
  head_of(record).running = running.release();
  return 0;
}

std::vector<unsigned char> bytes_of(void* record, const Declared& of) {
  const auto* const from = static_cast<const unsigned char*>(numbers_of(record, of));
  return {from, from + of.bytes};
}

void set_parameters(Running& running, void* record) {
  const std::vector<Declared>& all = head_of(record).body->declared();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].role != HILDA_PARAMETER) continue;
    set_one(running, record, i);
    running.set[i] = bytes_of(record, all[i]);
  }
}

/// Live parameters that have changed, while the FMU runs.
void prepare(void* record, const hilda_instance* self) {
  Running* const running = head_of(record).running;
  if (running == nullptr || !running->slave->started()) return;
  const std::vector<Declared>& all = head_of(record).body->declared();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].role != HILDA_PARAMETER || running->set[i] == bytes_of(record, all[i])) continue;
    if (!reported(self, all[i].name.c_str(), running, [&] { set_one(*running, record, i); })) return;
    running->set[i] = bytes_of(record, all[i]);
  }
}

void initialize(void* record, const hilda_instance* self) {
  Running* const running = head_of(record).running;
  if (running == nullptr) return;
  reported(self, nullptr, running, [&] {
    running->slave->instantiate();
    set_parameters(*running, record);
    running->slave->initialize(0);
    running->slave->finish_initialization();
  });
}

void get_outputs(Running& running, void* record, bool direct) {
  const std::vector<Declared>& all = head_of(record).body->declared();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].role == HILDA_OUTPUT && all[i].direct == direct)
      running.slave->get(running.places[i], &at<char>(record, all[i].at));
}

void set_inputs(Running& running, void* record, bool direct_alone) {
  const std::vector<Declared>& all = head_of(record).body->declared();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].role == HILDA_INPUT && (all[i].direct || !direct_alone)) set_one(running, record, i);
}

void state_output(void* record, const hilda_tick* now) {
  run_or_fail(record, now, [&](Running& running) { get_outputs(running, record, false); });
}

void output(void* record, const hilda_tick* now) {
  run_or_fail(record, now, [&](Running& running) {
    set_inputs(running, record, true);
    get_outputs(running, record, true);
  });
}

/// The communication step to the next sample.
void update(void* record, const hilda_tick* now) {
  run_or_fail(record, now, [&](Running& running) {
    set_inputs(running, record, false);
    if (running.slave->step(now->time, now->period) == Slave::Went::on) return;
    hilda_control& control = *now->control;
    if (control.verdict >= HILDA_STOP) return;
    running.words = of_fmu(running) + "it ends the simulation";
    control.verdict = HILDA_STOP, control.record = record, control.text = running.words.c_str(), control.value = NAN;
  });
}

/// `save` is asked for the size and then for the bytes: both of one state.
std::uint64_t save_state(const void* record, void* data, std::uint64_t capacity) {
  Running& running = *static_cast<const RecordHead*>(record)->running;
  if (data == nullptr) {
    try {
      running.saved = running.slave->save();
    } catch (const Refusal& refusal) { throw std::runtime_error(of_fmu(running) + refusal.what()); }
    return running.saved.size();
  }
  std::memcpy(data, running.saved.data(), std::min<std::uint64_t>(capacity, running.saved.size()));
  return running.saved.size();
}

std::int32_t load_state(void* record, const void* data, std::uint64_t bytes) {
  Running& running = *head_of(record).running;
  try {
    running.slave->load({static_cast<const char*>(data), bytes});
    const std::vector<Declared>& all = head_of(record).body->declared();
    for (std::size_t i = 0; i < all.size(); ++i) // the diagram's values count, and not those in the bytes
      if (all[i].role == HILDA_PARAMETER && all[i].live) set_one(running, record, i);
  } catch (const Refusal&) { return 1; }
  return 0;
}

/// The FMU's log.
void summarize(const void* record, const hilda_summary_sink* to) {
  const Running* const running = static_cast<const RecordHead*>(record)->running;
  if (running == nullptr) return;
  for (const Message& each : running->slave->log()) {
    to->begin_row(to->engine, "messages");
    to->number(to->engine, "time", each.time, "s");
    to->text(to->engine, "severity", severity(each.status));
    to->text(to->engine, "category", each.category.c_str());
    to->text(to->engine, "text", each.text.c_str());
    to->end_row(to->engine);
  }
  if (running->slave->unkept() > 0)
    to->number(to->engine, "earlier_messages", static_cast<double>(running->slave->unkept()), "1");
}

constexpr const char* doc =
    "A model of another tool: an FMU (FMI 2.0 or 3.0) for co-simulation. `hilda import-fmu X.fmu` writes it, in a "
    "subsystem with the FMU's variables as ports and parameters. Inside: <input>, <output> and <parameter> name them "
    "with kind, unit and shape; feeds_through=\"true\" where an output depends on an input of the same sample; "
    "factor and offset convert the FMU's unit to SI. The block's sample time is the communication step: the FMU gets "
    "its inputs and computes the step to the next sample, so an output that does not feed through follows an input one "
    "step later. The FMU runs in hilda's process, and is not for runs that move devices.";

struct Own {
  hilda_block_type type{}; // comes first: the engine gives this back
  std::unique_ptr<Body> body;
};

extern const hilda_ports_1 ports;
constexpr hilda_state_1 state = {sizeof(hilda_state_1), 0, &save_state, &load_state};
constexpr hilda_summary_1 summary = {sizeof(hilda_summary_1), 0, &summarize};

const void* plain_extension(const char* name) { return std::strcmp(name, "hilda.ports/1") == 0 ? &ports : nullptr; }
const void* own_extension(const char* name) { return std::strcmp(name, "hilda.summary/1") == 0 ? &summary : nullptr; }
const void* saving_extension(const char* name) {
  return std::strcmp(name, "hilda.state/1") == 0 ? &state : own_extension(name);
}

hilda_block_type plain_type(const char* name, const char* words, std::uint32_t flags) {
  static constexpr hilda_slot none{};
  hilda_block_type type{};
  type.size = sizeof type;
  type.slots = &none;
  type.flags = flags | HILDA_REALTIME_UNSAFE | HILDA_RAISES_NO_FLAGS;
  type.name = name;
  type.doc = words;
  type.record_size = sizeof(RecordHead);
  type.record_align = 8;
  type.slot_stride = sizeof(hilda_slot);
  type.destroy = &close;
  type.extension = &plain_extension;
  return type;
}

const hilda_block_type* make(const hilda_body* inside) {
  auto made = std::make_unique<Own>();
  made->body = Body::read(*inside);
  if (made->body == nullptr) return nullptr;
  const Body& body = *made->body;
  hilda_block_type& type = made->type;
  type = plain_type("Fmu", doc, 0);
  type.flags = HILDA_REALTIME_UNSAFE | HILDA_EXTERNAL_STATE; // without "hilda.state/1" checkpoints are refused
  type.record_size = body.record_size();
  type.slots = body.slots();
  type.slot_count = body.slot_count();
  type.extension = body.saves_state() ? &saving_extension : &own_extension;
  type.configure = &configure;
  type.prepare = &prepare;
  type.initialize = &initialize;
  if (body.has(HILDA_OUTPUT, false)) type.state_output = &state_output;
  if (body.has(HILDA_OUTPUT, true)) type.output = &output;
  type.update = &update;
  return &made.release()->type;
}

void bind(const hilda_block_type* type, void* record) { head_of(record).body = &Body::of(type->slots); }

void release(const hilda_block_type* type) { delete reinterpret_cast<const Own*>(type); }

constexpr const char* tags[] = {"input", "output", "parameter", "state"};
const hilda_ports_1 ports = {sizeof(hilda_ports_1), 4, tags, &make, &bind, &release, nullptr};

const hilda::detail::Registration registration{"Fmu", doc, {&plain_type}};

} // namespace

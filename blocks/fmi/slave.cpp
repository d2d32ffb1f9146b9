// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/fmi/slave.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <limits>
#include <type_traits>

namespace fmu {
namespace {

constexpr int warning = 1, discard = 2, error = 3, fatal = 4;
constexpr std::size_t most_messages = 200, longest_message = 2000;

std::string seconds(double time) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g s", time);
  return text;
}

/// "file:///tmp/a b/resources", as FMI 2.0 expects it.
std::string as_uri(const std::string& path) {
  std::string uri = "file://";
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0 || std::strchr("/-_.~", letter) != nullptr) {
      uri += letter;
    } else {
      char hex[4];
      std::snprintf(hex, sizeof hex, "%%%02X", byte);
      uri += hex;
    }
  }
  return uri;
}

const char* type_name(int version, Cell cell) {
  if (version == 2) {
    if (cell == Cell::f64) return "Real";
    if (cell == Cell::boolean) return "Boolean";
    return cell == Cell::text ? "String" : "Integer";
  }
  static constexpr const char* names[] = {"Float64", "Float32", "Int8",   "UInt8",   "Int16",  "UInt16", "Int32",
                                          "UInt32",  "Int64",   "UInt64", "Boolean", "String", "Binary", "Clock"};
  return names[static_cast<std::size_t>(cell)];
}

/// Calls `work` with a value of the type that the FMU has for a cell.
template <class Work> void with_type(int version, Cell cell, Work&& work) {
  switch (cell) {
  case Cell::f64: return work(double{});
  case Cell::f32: return work(float{});
  case Cell::i8: return work(std::int8_t{});
  case Cell::u8: return work(std::uint8_t{});
  case Cell::i16: return work(std::int16_t{});
  case Cell::u16: return work(std::uint16_t{});
  case Cell::i32: return work(std::int32_t{});
  case Cell::u32: return work(std::uint32_t{});
  case Cell::i64: return work(std::int64_t{});
  case Cell::u64: return work(std::uint64_t{});
  case Cell::boolean: return version == 2 ? work(int{}) : work(bool{});
  default: throw Refusal("a variable of a type that hilda does not exchange");
  }
}

/// Where the element lies in a record that FMI counts row by row as number i.
std::size_t column_order(const Place& place, std::size_t i) {
  const auto rows = static_cast<std::size_t>(place.rows), cols = static_cast<std::size_t>(place.cols);
  return i % cols * rows + i / cols;
}

template <class T> T to_cell(const Place& place, const void* numbers, std::size_t at) {
  if constexpr (std::is_floating_point_v<T>) {
    const double value = static_cast<const double*>(numbers)[at];
    return static_cast<T>(place.factor == 1 && place.offset == 0 ? value : (value - place.offset) / place.factor);
  } else if (place.variable->cell == Cell::boolean) {
    return static_cast<T>(static_cast<const std::uint8_t*>(numbers)[at] != 0);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return static_cast<const std::uint64_t*>(numbers)[at];
  } else {
    const std::int64_t value = static_cast<const std::int64_t*>(numbers)[at];
    if constexpr (!std::is_same_v<T, std::int64_t> && !std::is_same_v<T, bool>)
      if (value < std::numeric_limits<T>::min() || value > std::int64_t{std::numeric_limits<T>::max()})
        throw Refusal("'" + place.variable->name + "' is set to " + std::to_string(value) +
                      ", and its type goes from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                      std::to_string(std::numeric_limits<T>::max()));
    return static_cast<T>(value);
  }
}

template <class T> void from_cell(const Place& place, void* numbers, std::size_t at, T cell) {
  if constexpr (std::is_floating_point_v<T>) {
    const double value = cell;
    if (!std::isfinite(value))
      throw Refusal("its output '" + place.variable->name + "' is " + (std::isnan(value) ? "NaN" : "infinite"));
    static_cast<double*>(numbers)[at] =
        place.factor == 1 && place.offset == 0 ? value : place.factor * value + place.offset;
  } else if (place.variable->cell == Cell::boolean) {
    static_cast<std::uint8_t*>(numbers)[at] = cell != 0 ? 1 : 0;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    static_cast<std::uint64_t*>(numbers)[at] = cell;
  } else {
    static_cast<std::int64_t*>(numbers)[at] = static_cast<std::int64_t>(cell);
  }
}

} // namespace

const char* severity(int status) {
  static constexpr const char* names[] = {"info", "warning", "discard", "error", "fatal", "pending"};
  return status >= 0 && status < 6 ? names[status] : "unknown";
}

Slave::Slave(const hilda::fmi::Unpacked& files, std::string instance)
    : model_(files.model()), name_(std::move(instance)), prefix_(model_.version == 2 ? "fmi2" : "fmi3") {
  const std::string folder = files.folder() + "/resources";
  resources_ = model_.version == 2 ? as_uri(folder) : folder + "/";
  library_ = dlopen(files.library().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) {
    const char* const told = dlerror();
    std::string why = told != nullptr ? told : "no reason given", needed;
    for (std::size_t at = 0; (at = why.find(files.folder(), at)) != std::string::npos;)
      why.erase(at, files.folder().size() + 1); // a folder that no one knows
    try {
      needed = hilda::fmi::needed_by(files.library());
    } catch (const hilda::fmi::Fault& fault) { needed = fault.what; }
    throw Refusal("its library is not loaded: " + why + "; it needs: " + (needed.empty() ? "nothing" : needed) +
                  "; install what is missing, or export the FMU with it");
  }
  for (const char* name : {"FreeInstance", "EnterInitializationMode", "ExitInitializationMode", "DoStep"}) need(name);
  need(model_.version == 2 ? "Instantiate" : "InstantiateCoSimulation");
  if (model_.version == 2) need("SetupExperiment");
}

Slave::~Slave() {
  drop();
  if (library_ != nullptr && !fatal_) dlclose(library_);
}

Slave::Function Slave::find(const std::string& name) const {
  return reinterpret_cast<Function>(dlsym(library_, (prefix_ + name).c_str()));
}

Slave::Function Slave::need(const std::string& name) const {
  const Function found = find(name);
  if (found == nullptr)
    throw Refusal("its library has no function " + prefix_ + name +
                  ", which co-simulation needs; export the FMU again, or ask who made it");
  return found;
}

std::string Slave::missing(const std::vector<Place>& set, const std::vector<Place>& get) const {
  std::string list;
  const auto look = [&](const std::string& verb, const std::vector<Place>& places) {
    for (const Place& each : places) {
      const std::string name = verb + type_name(model_.version, each.variable->cell);
      if (find(name) == nullptr && list.find(name) == std::string::npos)
        list += (list.empty() ? "" : ", ") + prefix_ + name;
    }
  };
  look("Set", set);
  look("Get", get);
  return list;
}

bool Slave::keeps_state() const {
  const bool two = model_.version == 2;
  static constexpr const char* names2[] = {"GetFMUstate",       "SetFMUstate",
                                           "FreeFMUstate",      "SerializedFMUstateSize",
                                           "SerializeFMUstate", "DeSerializeFMUstate"};
  static constexpr const char* names3[] = {"GetFMUState",       "SetFMUState",
                                           "FreeFMUState",      "SerializedFMUStateSize",
                                           "SerializeFMUState", "DeserializeFMUState"};
  return std::all_of(two ? std::begin(names2) : std::begin(names3), two ? std::end(names2) : std::end(names3),
                     [this](const char* name) { return find(name) != nullptr; });
}

template <class... Arguments> int Slave::call(const char* name, Arguments... arguments) {
  return reinterpret_cast<int (*)(void*, Arguments...)>(need(name))(instance_, arguments...);
}

std::string Slave::last_words(std::size_t from) const {
  const std::lock_guard<std::mutex> lock(guard_);
  for (std::size_t i = log_.size(); i-- > from;)
    if (log_[i].status >= warning) return ": " + log_[i].text;
  return log_.size() > from ? ": " + log_.back().text : ", and logged nothing";
}

/// A warning stays in the log; an error ends the run.
void Slave::check(const std::string& name, int status) {
  if (status == 0 || status == warning) return;
  if (status == fatal) fatal_ = true;
  std::size_t from = 0;
  {
    const std::lock_guard<std::mutex> lock(guard_);
    from = log_.size() > 4 ? log_.size() - 4 : 0; // the last ones
  }
  throw Refusal(prefix_ + name + " at " + seconds(time_) + " returned " + severity(status) + last_words(from));
}

void Slave::take(int status, const char* category, std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (text.size() > longest_message) text.resize(longest_message);
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  const std::lock_guard<std::mutex> lock(guard_);
  if (log_.size() == most_messages) log_.erase(log_.begin()), ++unkept_;
  log_.push_back({time_, status, category == nullptr ? "" : category, std::move(text)});
}

void Slave::log2(void* self, const char*, int status, const char* category, const char* form, ...) {
  if (self == nullptr || form == nullptr) return;
  char text[longest_message];
  va_list values;
  va_start(values, form);
  std::vsnprintf(text, sizeof text, form, values);
  va_end(values);
  static_cast<Slave*>(self)->take(status, category, text);
}

void Slave::log3(void* self, int status, const char* category, const char* text) {
  if (self != nullptr && text != nullptr) static_cast<Slave*>(self)->take(status, category, text);
}

std::vector<Message> Slave::log() const {
  const std::lock_guard<std::mutex> lock(guard_);
  return log_;
}

void Slave::make() {
  if (model_.version == 2) {
    callbacks_ = {&Slave::log2, &std::calloc, &std::free, nullptr, this};
    using Instantiate = void* (*)(const char*, int, const char*, const char*, const Callbacks2*, int, int);
    instance_ = reinterpret_cast<Instantiate>(need("Instantiate"))(name_.c_str(), 1, model_.token.c_str(),
                                                                   resources_.c_str(), &callbacks_, 0, 0);
  } else {
    using Log = void (*)(void*, int, const char*, const char*);
    using Instantiate = void* (*)(const char*, const char*, const char*, bool, bool, bool, bool, const std::uint32_t*,
                                  std::size_t, void*, Log, void*);
    instance_ = reinterpret_cast<Instantiate>(need("InstantiateCoSimulation"))(
        name_.c_str(), model_.token.c_str(), resources_.c_str(), false, false, false, false, nullptr, 0, this,
        &Slave::log3, nullptr);
  }
  if (instance_ == nullptr)
    throw Refusal(prefix_ + (model_.version == 2 ? "Instantiate" : "InstantiateCoSimulation") + " made no instance" +
                  last_words(0));
}

void Slave::drop() {
  if (instance_ == nullptr || fatal_) return;
  if (started_ && find("Terminate") != nullptr) call("Terminate");
  reinterpret_cast<void (*)(void*)>(need("FreeInstance"))(instance_);
  instance_ = nullptr;
  started_ = false;
}

void Slave::instantiate() {
  if (fatal_) throw Refusal("it has reported a fatal error and cannot be used again");
  time_ = 0;
  if (instance_ != nullptr && find("Reset") != nullptr && call("Reset") <= warning) {
    started_ = false;
    return;
  }
  drop();
  make();
}

void Slave::initialize(double time) {
  time_ = time;
  if (model_.version == 2) {
    check("SetupExperiment", call("SetupExperiment", 0, 0.0, time, 0, 0.0));
    check("EnterInitializationMode", call("EnterInitializationMode"));
  } else {
    check("EnterInitializationMode", call("EnterInitializationMode", false, 0.0, time, false, 0.0));
  }
}

void Slave::finish_initialization() {
  check("ExitInitializationMode", call("ExitInitializationMode"));
  started_ = true;
}

void Slave::set(const Place& place, const void* numbers) {
  const ForeignVariable& of = *place.variable;
  const std::string name = std::string("Set") + type_name(model_.version, of.cell);
  const std::size_t count = of.size();
  const auto pass = [&](const void* cells) {
    check(name + " of '" + of.name + "'", model_.version == 2
                                              ? call(name.c_str(), &of.reference, std::size_t{1}, cells)
                                              : call(name.c_str(), &of.reference, std::size_t{1}, cells, count));
  };
  if (of.cell == Cell::text) return pass(numbers);
  with_type(model_.version, of.cell, [&](auto example) {
    using T = decltype(example);
    cells_.resize(count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) {
      const T cell = to_cell<T>(place, numbers, column_order(place, i));
      std::memcpy(cells_.data() + i * sizeof(T), &cell, sizeof(T));
    }
    pass(cells_.data());
  });
}

void Slave::get(const Place& place, void* numbers) {
  const ForeignVariable& of = *place.variable;
  const std::string name = std::string("Get") + type_name(model_.version, of.cell);
  const std::size_t count = of.size();
  with_type(model_.version, of.cell, [&](auto example) {
    using T = decltype(example);
    cells_.assign(count * sizeof(T), 0);
    void* const cells = cells_.data();
    check(name + " of '" + of.name + "'", model_.version == 2
                                              ? call(name.c_str(), &of.reference, std::size_t{1}, cells)
                                              : call(name.c_str(), &of.reference, std::size_t{1}, cells, count));
    for (std::size_t i = 0; i < count; ++i) {
      T cell{};
      std::memcpy(&cell, cells_.data() + i * sizeof(T), sizeof(T));
      from_cell<T>(place, numbers, column_order(place, i), cell);
    }
  });
}

Slave::Went Slave::step(double time, double size) {
  time_ = time;
  if (model_.version == 2) {
    const int status = call("DoStep", time, size, 1);
    if (status == discard && find("GetBooleanStatus") != nullptr) {
      int ended = 0;
      constexpr int terminated = 3;
      if (call("GetBooleanStatus", terminated, &ended) <= warning && ended != 0) return Went::ended;
    }
    check("DoStep", status);
    time_ = time + size;
    return Went::on;
  }
  bool event = false, ends = false, early = false;
  double last = time + size;
  check("DoStep", call("DoStep", time, size, true, &event, &ends, &early, &last));
  if (ends) return Went::ended;
  if (early)
    throw Refusal("fmi3DoStep at " + seconds(time) + " stopped early at " + seconds(last) +
                  ", and early return was not allowed");
  time_ = time + size;
  return Went::on;
}

namespace {
/// The standard's spelling of FMI 2.0 differs.
std::string state_name(int version, const char* before, const char* after = "") {
  return std::string(before) + (version == 2 ? "FMUstate" : "FMUState") + after;
}
} // namespace

std::string Slave::save() {
  void* state = nullptr;
  std::size_t size = 0;
  const auto named = [&](const char* before, const char* after = "") {
    return state_name(model_.version, before, after);
  };
  const auto run = [&](const std::string& name, auto... arguments) { check(name, call(name.c_str(), arguments...)); };
  constexpr std::size_t most = std::size_t{1} << 30;
  run(named("Get"), &state);
  run(named("Serialized", "Size"), state, &size);
  if (size > most) throw Refusal("its state has " + std::to_string(size) + " bytes, more than 1 GB");
  std::string bytes(size, '\0');
  run(named("Serialize"), state, static_cast<void*>(bytes.data()), size);
  run(named("Free"), &state);
  return bytes;
}

void Slave::load(std::string_view bytes) {
  void* state = nullptr;
  const auto run = [&](const std::string& name, auto... arguments) { check(name, call(name.c_str(), arguments...)); };
  run(model_.version == 2 ? "DeSerializeFMUstate" : "DeserializeFMUState", static_cast<const void*>(bytes.data()),
      bytes.size(), &state);
  run(state_name(model_.version, "Set"), state);
  run(state_name(model_.version, "Free"), &state);
}

} // namespace fmu

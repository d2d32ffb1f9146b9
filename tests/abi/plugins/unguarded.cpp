// SPDX-License-Identifier: BSD-3-Clause
// Tables written by hand in C++, without the guards of the SDK: exceptions leave the functions. Two blocks are wrong in
// their tables and must be refused alone.

#include <hilda/abi.h>

#include <cfenv>
#include <cmath>
#include <stdexcept>
#include <string>

namespace {

struct Record {
  double y;
  const char* in;
};

[[noreturn]] void fail(const char* phase) { throw std::runtime_error(std::string("too hot for ") + phase); }
void maybe(const void* record, const char* phase) {
  const char* in = static_cast<const Record*>(record)->in;
  if (in != nullptr && std::string(in) == phase) fail(phase);
}

bool first_is_made = false; // constructors have no parameters

void construct(void*) {
  if (first_is_made) fail("construct");
}
void tilt(void*) { std::fesetround(FE_UPWARD); }
std::int32_t feeds_through(const void* r, const hilda_instance*) { return maybe(r, "feeds_through"), 1; }
std::int32_t infer(void* r, const hilda_instance*, const hilda_inference*) { return maybe(r, "infer"), 0; }
std::int32_t configure(void* r, const hilda_instance*) { return maybe(r, "configure"), 0; }
void prepare(void* r, const hilda_instance*) { maybe(r, "prepare"); }
void initialize(void* r, const hilda_instance*) { maybe(r, "initialize"); }
void output(void* r, const hilda_tick*) { maybe(r, "output"); }
void update(void* r, const hilda_tick*) { maybe(r, "update"); }

hilda_slot slot(hilda_role role, hilda_element element, const char* name, std::uint64_t offset, const char* initial) {
  hilda_slot s{};
  s.size = sizeof s;
  s.role = role, s.element = element;
  s.name = name, s.shape = "", s.doc = "Of an unguarded block", s.initial = initial;
  s.minimum = -INFINITY, s.maximum = INFINITY;
  s.offset = offset;
  return s;
}

const hilda_slot slots[] = {slot(HILDA_OUTPUT, HILDA_F64, "y", offsetof(Record, y), nullptr),
                            slot(HILDA_PARAMETER, HILDA_TEXT, "in", offsetof(Record, in), "")};

hilda_slot odd_slots[2];
hilda_block_type types[5];
hilda_plugin plugin{};

hilda_block_type type(const char* name) {
  hilda_block_type t{};
  t.size = sizeof t;
  t.name = name;
  t.doc = "Throws in the phase that its parameter names.";
  t.record_size = sizeof(Record), t.record_align = alignof(Record);
  t.slots = slots, t.slot_count = 2, t.slot_stride = sizeof(hilda_slot);
  t.output = &output;
  return t;
}

std::int32_t attach(const hilda_host* host) {
  host->warn(host->engine, "has met a host that says what it is");
  if (std::string(host->name) == "hilda" && host->abi_minor >= 1 && host->version[0] != '\0') return 0;
  host->report(host->engine, "needs hilda 1.1");
  return 1;
}

} // namespace

extern "C" HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
const hilda_plugin* hilda_plugin_entry(void) {
  types[0] = type("Throws");
  types[0].feeds_through = &feeds_through, types[0].infer = &infer, types[0].configure = &configure;
  types[0].prepare = &prepare, types[0].initialize = &initialize, types[0].update = &update;
  types[1] = type("Unmade");
  types[1].construct = &construct;
  types[2] = type("Tilted");
  types[2].construct = &tilt;
  types[3] = type("OddUnit");
  odd_slots[0] = slots[0], odd_slots[1] = slots[1];
  odd_slots[0].unit = "furlong per moon";
  types[3].slots = odd_slots;
  types[4] = type("Latin1");
  types[4].doc = "F\xFCr niemand";
  first_is_made = true; // from here on: the loader makes none
  plugin.size = sizeof plugin;
  plugin.abi_major = HILDA_ABI_MAJOR, plugin.abi_minor = HILDA_ABI_MINOR;
  plugin.type_stride = sizeof(hilda_block_type);
  plugin.name = "unguarded", plugin.version = "1", plugin.built = "C++";
  plugin.types = types;
#ifdef WITH_ODD_BLOCKS
  plugin.type_count = 5;
#else
  plugin.type_count = 3;
#endif
  plugin.attach = &attach;
  return &plugin;
}

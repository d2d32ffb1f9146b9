// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/audit/audit_calls.h"

#include "engine/base/process_watch.h"
#include "engine/run/kept_parameters.h"

#include <cstring>
#include <fmt/format.h>

namespace hilda::analysis {
namespace {

/// States larger than this are looked at every `large_every` ticks.
constexpr std::size_t large_state = 65536;
constexpr std::int64_t large_every = 64;

} // namespace

void AuditFindings::add(const Runtime& runtime, AuditFinding::Kind kind, BlockIndex block, SlotIndex slot, int item,
                        const char* phase) {
  blocks_.insert(block);
  if (!known_.insert({kind, block, slot}).second) return;
  const SystemBlock& of = runtime.system().blocks[block];
  const std::string index = item < 0 ? "" : "[" + std::to_string(item) + "]";
  all_.push_back({.kind = kind,
                  .block = of.path,
                  .type = of.type->name,
                  .phase = phase,
                  .slot = slot.valid() ? runtime.memory().layout(block).slots[slot].name + index : "",
                  .tick = runtime.tick(),
                  .time = runtime.time()});
}

void AuditFindings::add_words(const Runtime& runtime, AuditFinding::Kind kind, BlockIndex block, const char* phase,
                              const std::string& what) {
  const std::size_t before = all_.size();
  add(runtime, kind, block, {}, -1, phase);
  if (all_.size() > before) all_.back().slot = what;
}

void CallAudit::attach(Runtime& runtime) {
  runtime_ = &runtime;
  blocks_.resize(runtime.system().blocks.size());
  for (const BlockIndex b : blocks_.indices()) {
    list_inputs(b, blocks_[b]);
    list_memory(b, blocks_[b]);
  }
}

void CallAudit::list_inputs(BlockIndex block, Block& entry) const {
  const SystemBlock& of = runtime_->system().blocks[block];
  for (const SystemBlock::Port& port : of.ports) {
    const Slot& slot = runtime_->memory().layout(block).slots[port.slot];
    if (slot.role != HILDA_INPUT || runtime_->memory().source(block, port.slot, port.item) == nullptr) continue;
    const Input input{port.slot, port.item};
    entry.state_output.push_back(input);
    if (!feeds_through(of, slot)) entry.output.push_back(input);
    if (!slot.is(HILDA_PRIMES)) entry.prime.push_back(input);
  }
}

void CallAudit::list_memory(BlockIndex block, Block& entry) const {
  const Memory& memory = runtime_->memory();
  const BlockType& layout = memory.layout(block);
  for (const SlotIndex slot : layout.slots.indices()) {
    if (layout.slots[slot].role != HILDA_STATE) continue;
    const Span span = memory.span(block, slot);
    entry.state.push_back({slot, span.data, span.bytes()});
    if (layout.slots[slot].is(HILDA_RING))
      entry.state.push_back({slot, &const_cast<hilda_ring*>(memory.ring(block, slot))->head, sizeof(std::int64_t)});
  }
  for (const Piece& piece : entry.state) entry.state_bytes += piece.bytes;
  for (const SystemSignal& signal : runtime_->signals())
    if (signal.block == block) entry.outputs.push_back({signal.slot, signal.span.data, signal.span.bytes()});
}

void CallAudit::call(const Call& call, const hilda_tick* tick) {
  const char* phase = phase_name(call, *runtime_->memory().layout(call.block).abi);
  if (!runtime_->memory().fences_whole(call.block))
    findings_.add(*runtime_, AuditFinding::Kind::written_into, call.block, {}, -1, phase);
  const KeptParameters parameters(runtime_->memory(), runtime_->system(), call.block);
  prove(call, tick);
  if (const std::string change = parameters.changed(); !change.empty())
    findings_.add_words(*runtime_, AuditFinding::Kind::writes_parameter, call.block, phase, change);
  if (!runtime_->memory().fences_whole(call.block))
    findings_.add(*runtime_, AuditFinding::Kind::writes_beyond, call.block, {}, -1, phase);
  look_at_verdict(call.block, phase, tick->control);
  const SystemBlock& block = runtime_->system().blocks[call.block];
  ProcessWatch::after_call({block.type->plugin.c_str(), block.path.c_str(), block.type->name.c_str(), phase});
  for (const ProcessChange& change : ProcessWatch::found())
    findings_.add_words(*runtime_, AuditFinding::Kind::changes_process, call.block, phase,
                        change.text + (change.calls > 1 ? " (or one of the calls shortly before did)" : ""));
}

void CallAudit::look_at_verdict(BlockIndex block, const char* phase, const hilda_control* control) {
  if (control == nullptr || control->verdict == HILDA_GO) return;
  if (control->verdict != HILDA_STOP && control->verdict != HILDA_FAIL)
    findings_.add_words(*runtime_, AuditFinding::Kind::nameless_verdict, block, phase,
                        fmt::format("with the verdict {}, which there is not", control->verdict));
  else if (control->record == nullptr)
    findings_.add_words(*runtime_, AuditFinding::Kind::nameless_verdict, block, phase,
                        "and does not say which block it is: it leaves control->record null");
}

void CallAudit::prove(const Call& call, const hilda_tick* tick) {
  Block& entry = blocks_[call.block];
  const hilda_block_type& type = *runtime_->memory().layout(call.block).abi;
  if (call.kind == Call::Kind::prime) {
    if (!call_blindfolded(call, tick, entry.prime, "prime")) call.single(call.first, tick);
    return;
  }
  const bool from_state = call.single == type.state_output;
  if (!from_state && call.single != type.output) return call.single(call.first, tick);
  const char* phase = from_state ? "state_output" : "output";
  ++calls_;
  save(entry.state, saved_.state);
  if (!call_blindfolded(call, tick, from_state ? entry.state_output : entry.output, phase)) {
    restore(entry.state, saved_.state);
    call.single(call.first, tick);
  }
  prove_twice(call, tick, entry, phase);
}

bool CallAudit::call_blindfolded(const Call& call, const hilda_tick* tick, std::vector<Input>& hidden,
                                 const char* phase) {
  Memory& memory = runtime_->memory();
  sources_.clear();
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    sources_.push_back(memory.source(call.block, hidden[i].slot, hidden[i].item));
    memory.redirect(call.block, hidden[i].slot, hidden[i].item, pages_.slot(i));
  }
  const int touched = pages_.call(call, tick);
  for (std::size_t i = 0; i < hidden.size(); ++i)
    memory.redirect(call.block, hidden[i].slot, hidden[i].item, sources_[i]);
  if (touched < 0) return true;
  const auto at = hidden.begin() + touched;
  findings_.add(*runtime_, AuditFinding::Kind::reads_input, call.block, at->slot, at->item, phase);
  hidden.erase(at); // known from now on, so that others are found too
  return false;
}

void CallAudit::prove_twice(const Call& call, const hilda_tick* tick, const Block& entry, const char* phase) {
  if (entry.state_bytes > large_state && runtime_->tick() % large_every != 0) return;
  if (!state_kept(call, entry, phase)) return;
  save(entry.outputs, saved_.outputs);
  call.single(call.first, tick);
  if (!state_kept(call, entry, phase)) return;
  const Piece* other = changed(entry.outputs, saved_.outputs);
  if (other != nullptr) findings_.add(*runtime_, AuditFinding::Kind::unrepeatable, call.block, other->slot, -1, phase);
}

bool CallAudit::state_kept(const Call& call, const Block& entry, const char* phase) {
  const Piece* written = changed(entry.state, saved_.state);
  if (written == nullptr) return true;
  findings_.add(*runtime_, AuditFinding::Kind::writes_state, call.block, written->slot, -1, phase);
  return false;
}

void CallAudit::save(const std::vector<Piece>& pieces, std::vector<unsigned char>& bytes) {
  bytes.clear();
  for (const Piece& piece : pieces) {
    const auto* from = static_cast<const unsigned char*>(piece.data);
    bytes.insert(bytes.end(), from, from + piece.bytes);
  }
}

void CallAudit::restore(const std::vector<Piece>& pieces, const std::vector<unsigned char>& bytes) {
  const unsigned char* from = bytes.data();
  for (const Piece& piece : pieces) {
    if (piece.bytes > 0) std::memcpy(piece.data, from, piece.bytes);
    from += piece.bytes;
  }
}

const CallAudit::Piece* CallAudit::changed(const std::vector<Piece>& pieces, const std::vector<unsigned char>& bytes) {
  const unsigned char* before = bytes.data();
  for (const Piece& piece : pieces) {
    if (piece.bytes > 0 && std::memcmp(piece.data, before, piece.bytes) != 0) return &piece;
    before += piece.bytes;
  }
  return nullptr;
}

} // namespace hilda::analysis

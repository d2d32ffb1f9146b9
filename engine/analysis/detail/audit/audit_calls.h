// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/audit.h"
#include "engine/analysis/detail/audit/forbidden_pages.h"
#include "engine/modules.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace hilda::analysis {

/// A list of findings that has each only once.
class AuditFindings {
public:
  void add(const Runtime& runtime, AuditFinding::Kind kind, BlockIndex block, SlotIndex slot, int item,
           const char* phase);
  void add_words(const Runtime& runtime, AuditFinding::Kind kind, BlockIndex block, const char* phase,
                 const std::string& what);
  bool about(BlockIndex block) const { return blocks_.count(block) > 0; }
  const std::vector<AuditFinding>& all() const { return all_; }

private:
  std::vector<AuditFinding> all_;
  std::set<std::tuple<AuditFinding::Kind, BlockIndex, SlotIndex>> known_;
  std::set<BlockIndex> blocks_;
};

/// Proves for single calls of a block-by-block loop which inputs they read, and that they write nothing but outputs.
class CallAudit : public CallObserver {
public:
  /// False where the system gives no memory to hide inputs behind.
  bool usable() const { return pages_.usable(); }
  /// Before the first tick.
  void attach(Runtime& runtime);
  void call(const Call& call, const hilda_tick* tick) override;
  std::int64_t calls() const { return calls_; }
  AuditFindings& findings() { return findings_; }

private:
  struct Input {
    SlotIndex slot{};
    int item;
  };
  struct Piece {
    SlotIndex slot{};
    void* data;
    std::size_t bytes;
  };
  struct Block {
    std::vector<Input> state_output, output, prime; ///< what each phase may not read
    std::vector<Piece> state, outputs;
    std::size_t state_bytes = 0;
  };
  struct Saved {
    std::vector<unsigned char> state, outputs;
  };

  void look_at_verdict(BlockIndex block, const char* phase, const hilda_control* control);
  void prove(const Call& call, const hilda_tick* tick);
  void list_inputs(BlockIndex block, Block& entry) const;
  void list_memory(BlockIndex block, Block& entry) const;
  /// False where the block touched what it may not; it is then as if it had not been called.
  bool call_blindfolded(const Call& call, const hilda_tick* tick, std::vector<Input>& hidden, const char* phase);
  void prove_twice(const Call& call, const hilda_tick* tick, const Block& entry, const char* phase);
  bool state_kept(const Call& call, const Block& entry, const char* phase);
  static void save(const std::vector<Piece>& pieces, std::vector<unsigned char>& bytes);
  static void restore(const std::vector<Piece>& pieces, const std::vector<unsigned char>& bytes);
  static const Piece* changed(const std::vector<Piece>& pieces, const std::vector<unsigned char>& bytes);

  Runtime* runtime_ = nullptr;
  ForbiddenPages pages_;
  Indexed<BlockIndex, Block> blocks_;
  std::vector<const void*> sources_;
  Saved saved_;
  AuditFindings findings_;
  std::int64_t calls_ = 0;
};

} // namespace hilda::analysis

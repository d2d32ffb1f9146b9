// SPDX-License-Identifier: BSD-3-Clause
// Reads a plugin's descriptors into block types. Nothing in them is believed before it is checked.

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/catalogue/catalogue.h"
#include "engine/catalogue/detail/types/slot_reading.h"
#include "engine/catalogue/shape_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <hilda/flags.h>
#include <set>
#include <utility>

namespace hilda::catalogue {
namespace {

/// What the diagram format keeps for itself.
bool reserved(const std::string& name) {
  static constexpr std::array<const char*, 10> words{"name",  "type", "sample_time", "doc", "enable",
                                                     "reset", "mode", "outputs",     "src", "period"};
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return name == word; }) ||
         name.starts_with("ui.");
}

/// A span of the record and the slot that lies there.
struct SlotSpan {
  std::uint64_t begin, end;
  const Slot* slot;
};

/// Reads one type. Every check adds its sentence; reading continues, so that an author sees all of them at once.
class DescriptorReader {
public:
  /// `more_flags`: that are known next to those of plugins.
  DescriptorReader(const hilda_block_type& type, std::vector<std::string>& problems, std::uint32_t more_flags = 0)
      : type_(type), problems_(problems), more_flags_(more_flags) {}

  std::unique_ptr<BlockType> read(const std::string& plugin, const std::string& path);

private:
  void make_error(const std::string& what) {
    const std::string name = slot_ != nullptr ? name_of(*slot_) : slot_name_;
    problems_.push_back(type_name_ + ": " + (name.empty() ? "" : name + ": ") + what);
    sound_ = false;
  }
  static std::string name_of(const Slot& slot) {
    return std::string(role_name(slot.role)) + " " + in_quotes(slot.name);
  }
  bool copy_head(BlockType& to);
  void read_slots();
  void read_slot(const hilda_slot& from, std::uint32_t index);
  void check_storage(const Slot& slot);
  std::uint64_t storage_size(const Slot& slot) const;
  void check_names();
  void check_counts();
  void check_sums();
  void check_overlaps();
  void check_functions();

  const hilda_block_type& type_;
  std::vector<std::string>& problems_;
  std::unique_ptr<BlockType> result_;
  std::string type_name_, slot_name_; ///< while a slot is read
  const Slot* slot_ = nullptr;        ///< that is being looked at afterwards
  std::vector<SlotSpan> spans_;
  const std::uint32_t more_flags_;
  bool sound_ = true;
};

bool DescriptorReader::copy_head(BlockType& to) {
  constexpr std::uint32_t least = offsetof(hilda_block_type, extension) + sizeof(type_.extension);
  if (type_.size < least) {
    make_error("size is " + std::to_string(type_.size) + ", less than the " + std::to_string(least) +
               " bytes of this version's hilda_block_type");
    return false;
  }
  auto copy = std::make_shared<hilda_block_type>();
  std::memcpy(copy.get(), &type_, std::min<std::size_t>(type_.size, sizeof(hilda_block_type)));
  to.doc = type_.doc != nullptr ? type_.doc : "";
  to.abi = copy.get();
  if (copy->fault != nullptr) {
    make_error(first_bad_byte(copy->fault) == std::string::npos ? copy->fault : "it has a fault that it cannot tell");
    return false;
  }
  to.copy = std::move(copy);
  if (first_bad_byte(to.doc) != std::string::npos) make_error("doc is not UTF-8 text, or holds control characters");
  constexpr std::uint32_t known = HILDA_REALTIME_UNSAFE | HILDA_EXTERNAL_STATE | HILDA_VARIANT | HILDA_SINK |
                                  HILDA_RAISES_FLAGS | HILDA_FOLLOWS_TIME | HILDA_STEADY;
  if ((type_.flags & ~(known | more_flags_)) != 0) make_error("flags has bits that this version does not know");
  constexpr std::uint64_t largest = std::uint64_t{1} << 32;
  if (type_.record_size > largest) make_error("record_size is absurd");
  if (!std::has_single_bit(type_.record_align) || type_.record_align > 4096)
    make_error("record_align must be a power of two up to 4096");
  return true;
}

std::unique_ptr<BlockType> DescriptorReader::read(const std::string& plugin, const std::string& path) {
  const bool named = type_.name != nullptr && identifier(type_.name, true);
  type_name_ = plugin + "/" + (type_.name != nullptr ? type_.name : "?");
  if (!named) make_error("the type's name must consist of letters, digits and _");
  if (!identifier(plugin, true)) make_error("the plugin's name must consist of letters, digits and _");
  result_ = std::make_unique<BlockType>();
  result_->name = type_name_;
  result_->plugin = path;
  if (!copy_head(*result_)) return nullptr;
  read_slots();
  slot_name_.clear();
  if (!sound_) return nullptr;
  check_names();
  check_counts();
  check_sums();
  check_overlaps();
  check_functions();
  return sound_ ? std::move(result_) : nullptr;
}

void DescriptorReader::read_slots() {
  if (type_.slot_count == 0) return;
  constexpr std::uint32_t most = 4096;
  if (type_.slots == nullptr || type_.slot_count > most) return make_error("slots is null or slot_count is absurd");
  if (type_.slot_stride < sizeof(hilda_slot) || type_.slot_stride % alignof(hilda_slot) != 0)
    return make_error("slot_stride must be the size of hilda_slot");
  result_->slots.reserve(type_.slot_count);
  const auto* bytes = reinterpret_cast<const char*>(type_.slots);
  for (std::uint32_t i = 0; i < type_.slot_count; ++i)
    read_slot(*reinterpret_cast<const hilda_slot*>(bytes + std::size_t{i} * type_.slot_stride), i);
}

void DescriptorReader::read_slot(const hilda_slot& from, std::uint32_t index) {
  slot_name_ = "slot " + std::to_string(index);
  std::vector<std::string> problems;
  std::optional<Slot> slot = SlotReader(problems).read(from, slot_name_);
  for (const std::string& problem : problems) make_error(problem);
  if (!slot) return;
  result_->slots.push_back(std::move(*slot));
  check_storage(result_->slots.back());
}

std::uint64_t DescriptorReader::storage_size(const Slot& slot) const {
  if (slot.is(HILDA_RING)) return sizeof(hilda_ring);
  if (slot.is(HILDA_REPEATED)) return slot.role == HILDA_INPUT ? sizeof(hilda_views) : sizeof(hilda_arrays);
  if (slot.is(HILDA_BOUND)) return slot.role == HILDA_INPUT ? sizeof(hilda_view) : sizeof(hilda_array);
  if (slot.role == HILDA_INPUT) return sizeof(void*);
  return static_cast<std::uint64_t>(slot.shape.rows.constant) * static_cast<std::uint64_t>(slot.shape.cols.constant) *
         element_size(slot.element);
}

void DescriptorReader::check_storage(const Slot& slot) {
  const bool elements = slot.role != HILDA_INPUT && !slot.is(HILDA_RING | HILDA_BOUND);
  const std::uint64_t align = elements ? element_size(slot.element) : alignof(void*);
  const auto place = [&](std::uint64_t offset, const char* what) {
    const std::uint64_t size = storage_size(slot);
    if (offset % align != 0) make_error(std::string(what) + " is not aligned to " + std::to_string(align) + " bytes");
    if (size > type_.record_size || offset > type_.record_size - size)
      return make_error(std::string(what) + " " + std::to_string(offset) + " plus " + std::to_string(size) +
                        " bytes lies outside of the record of " + std::to_string(type_.record_size));
    if (size > 0) spans_.push_back({offset, offset + size, &slot});
  };
  place(slot.offset, "offset");
  if (slot.has_second()) place(slot.second_offset, "second_offset");
}

void DescriptorReader::check_names() {
  const auto& slots = result_->slots;
  for (const SlotIndex i : slots.indices()) {
    slot_ = &slots[i];
    if (slots[i].role == HILDA_PARAMETER && reserved(slots[i].name)) make_error("the diagram format keeps this name");
    if (result_->find(slots[i].name, slots[i].role) != i) make_error("the name is there twice");
  }
}

void DescriptorReader::check_counts() {
  for (const Slot& slot : result_->slots) {
    slot_ = &slot;
    if (slot.count.empty()) continue;
    if (!slot.is(HILDA_REPEATED)) {
      make_error("count is for repeated ports");
      continue;
    }
    const bool length = slot.count.starts_with("len(") && slot.count.ends_with(')');
    const std::string name = length ? slot.count.substr(4, slot.count.size() - 5) : slot.count;
    const SlotIndex index = result_->find(name, HILDA_PARAMETER);
    const hilda_element element = index.valid() ? result_->slots[index].element : HILDA_F64;
    if (length ? element != HILDA_TEXT : (element != HILDA_I64 && element != HILDA_U64))
      make_error("count " + in_quotes(slot.count) + " names no " + (length ? "text" : "integer") + " parameter");
  }
}

void DescriptorReader::check_sums() {
  for (const Slot& slot : result_->slots) {
    slot_ = &slot;
    for (const Dimension* dimension : {&slot.shape.rows, &slot.shape.cols})
      for (const Dimension::Term& term : dimension->terms) {
        if (!term.sum) continue;
        const bool found = std::any_of(result_->slots.begin(), result_->slots.end(), [&](const Slot& other) {
          const auto uses = [&](const Dimension& d) {
            return std::any_of(d.terms.begin(), d.terms.end(),
                               [&](const Dimension::Term& t) { return !t.sum && t.name == term.name; });
          };
          return other.is(HILDA_REPEATED) && (uses(other.shape.rows) || uses(other.shape.cols));
        });
        if (slot.is(HILDA_REPEATED))
          make_error("a sum over items cannot be the shape of an item");
        else if (!found)
          make_error("sum(" + term.name + ") has no repeated port with the dimension " + term.name);
      }
  }
}

void DescriptorReader::check_overlaps() {
  slot_ = nullptr;
  std::stable_sort(spans_.begin(), spans_.end(),
                   [](const SlotSpan& a, const SlotSpan& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < spans_.size(); ++i)
    if (spans_[i].begin < spans_[i - 1].end)
      make_error(in_quotes(spans_[i - 1].slot->name) + " and " + in_quotes(spans_[i].slot->name) +
                 " overlap in the record");
}

/// The loop calls only the functions that exist: each phase that a slot needs must have one, and a function for many
/// records must come with the one for a single record.
void DescriptorReader::check_functions() {
  const hilda_block_type& abi = *result_->abi;
  const auto want = [&](bool there, const char* why) {
    if (!there) make_error(why);
  };
  for (const Slot& slot : result_->slots) {
    slot_ = &slot;
    if (slot.is(HILDA_CONTINUOUS)) want(abi.derivative != nullptr, "a continuous state needs a derivative function");
    if (slot.is(HILDA_PRIMES)) want(abi.prime != nullptr, "an input that primes needs the function prime");
    if (slot.role != HILDA_OUTPUT) continue;
    if (slot.is(HILDA_MEASUREMENT)) {
      want(abi.acquire != nullptr, "a measurement needs the function acquire");
      continue;
    }
    const bool moore = slot.is(HILDA_STATE_OUTPUT), conditional = slot.is(HILDA_CONDITIONAL);
    if (moore || conditional) want(abi.state_output != nullptr, "no function state_output computes it");
    if (!moore || conditional) want(abi.output != nullptr, "no function output computes it");
  }
  slot_ = nullptr;
  want(abi.state_output != nullptr || abi.state_output_many == nullptr, "state_output_many needs state_output as well");
  want(abi.output != nullptr || abi.output_many == nullptr, "output_many needs output as well");
  want(abi.update != nullptr || abi.update_many == nullptr, "update_many needs update as well");
  want(abi.derivative != nullptr || abi.derivative_many == nullptr, "derivative_many needs derivative as well");
  want((abi.output != nullptr && abi.update != nullptr) || abi.step_many == nullptr,
       "step_many needs output and update as well");
}

} // namespace

std::unique_ptr<BlockType> describe(const hilda_block_type& type, const std::string& plugin, const std::string& path,
                                    std::vector<std::string>& problems) {
  return DescriptorReader(type, problems).read(plugin, path);
}

std::unique_ptr<BlockType> describe_of_script(const hilda_block_type& type, const std::string& language,
                                              const std::string& file, std::vector<std::string>& problems) {
  return DescriptorReader(type, problems, HILDA_SIMULATION_ONLY).read(language, file);
}

std::vector<std::unique_ptr<BlockType>> describe(const hilda_plugin& plugin, const std::string& path,
                                                 std::vector<std::string>& problems) {
  std::vector<std::unique_ptr<BlockType>> types;
  std::set<std::string> refused; // with all their variants, and alone: the others are taken
  const auto* bytes = reinterpret_cast<const char*>(plugin.types);
  for (std::uint64_t i = 0; i < plugin.type_count; ++i) {
    const auto& raw = *reinterpret_cast<const hilda_block_type*>(bytes + i * plugin.type_stride);
    const std::string name = std::string(plugin.name) + "/" + (raw.name != nullptr ? raw.name : "?");
    const std::size_t before = problems.size();
    std::unique_ptr<BlockType> type;
    if (raw.size > plugin.type_stride)
      problems.push_back(name + ": size is " + std::to_string(raw.size) + ", more than type_stride");
    else
      type = describe(raw, plugin.name, path, problems);
    const auto same = std::find_if(types.begin(), types.end(), [&](const auto& other) { return other->name == name; });
    if (type != nullptr && refused.count(name) == 0) {
      const bool variant = (type->abi->flags & HILDA_VARIANT) != 0;
      if (variant && same != types.end())
        attach_variant(**same, std::move(type), problems);
      else if (variant)
        problems.push_back(name + ": a variant comes after the type that it is one of");
      else if (same != types.end())
        problems.push_back(name + ": the type is there twice");
      else
        types.push_back(std::move(type));
    }
    if (problems.size() != before) refused.insert(name);
  }
  std::erase_if(types, [&](const auto& type) { return refused.count(type->name) > 0; });
  return types;
}

bool attach_variant(BlockType& base, std::unique_ptr<BlockType> variant, std::vector<std::string>& problems) {
  constexpr std::uint32_t layout = HILDA_BOUND;
  const auto alike = [](const Slot& a, const Slot& b) {
    return a.name == b.name && a.role == b.role && a.element == b.element &&
           (a.flags & ~layout) == (b.flags & ~layout) && a.unit_text == b.unit_text && a.choices == b.choices &&
           a.initial == b.initial;
  };
  if (!std::equal(base.slots.begin(), base.slots.end(), variant->slots.begin(), variant->slots.end(), alike)) {
    problems.push_back(base.name + ": a variant has the same slots in the same order, but for shape and layout");
    return false;
  }
  variant->order = base.order;
  base.variants.push_back(std::move(variant));
  return true;
}

} // namespace hilda::catalogue

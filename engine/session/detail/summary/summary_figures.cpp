// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/summary_figures.h"

#include "engine/base/characters.h"
#include "engine/base/process_report.h"
#include "engine/diagram/suggestion.h"
#include "engine/plugin/block_code.h"
#include "engine/plugin/floating_point.h"
#include "engine/run/runtime.h"

#include <exception>
#include <fmt/format.h>
#include <map>
#include <set>

namespace hilda::session {
namespace {

constexpr std::size_t longest_text = 4096; // bytes

/// The unit of the block's port that is declared with a unit of the wires, such as "@u". Null: no port is.
const Unit* unit_of_wires(const SystemBlock& block, std::string_view declared) {
  for (const SystemBlock::Port& port : block.ports)
    if (block.type->slots[port.slot].unit_text == declared && port.type.unit) return &*port.type.unit;
  return nullptr;
}

constexpr std::size_t most_listed = 5;

/// Takes what one block after the other says through the C interface.
class Listener {
public:
  explicit Listener(SummaryFigures& figures) : figures_(figures) {
    sink_.size = sizeof sink_;
    sink_.engine = this;
    sink_.number = [](void* self, const char* key, double value, const char* unit) { of(self).take(key, value, unit); };
    sink_.text = [](void* self, const char* key, const char* value) {
      of(self).take(key, std::string(value != nullptr ? value : ""), nullptr);
    };
    sink_.begin_row = [](void* self, const char* table) { of(self).begin_row(table); };
    sink_.end_row = [](void* self) { of(self).end_row(); };
  }

  void hear(const SystemBlock& block, const hilda_summary_1& speaker, const void* record) {
    block_ = block.path;
    speaking_ = &block;
    in_row_ = false;
    no_text_ = 0;
    own_.clear(), twice_.clear();
    const RunningMark mark(code_of(block, "summarize"));
    const FloatingPointMode mode = FloatingPointMode::current();
    const auto add_problem = [&](const std::string& what) {
      figures_.problems.push_back(block.path + " (" + block.type->name + "): " + what);
    };
    try {
      speaker.summarize(record, &sink_);
    } catch (const std::exception& thrown) {
      add_problem(std::string("an exception leaves summarize: ") + thrown.what());
    } catch (...) { add_problem("an exception that is not a std::exception leaves summarize"); }
    if (!(FloatingPointMode::current() == mode)) {
      mode.restore();
      add_problem("summarize changes the processor's floating-point mode");
    }
    warn_of_repeated();
    if (no_text_ > 0)
      figures_.warnings.push_back(
          {block_,
           fmt::format("summarize gives {} figure{} whose key, unit or text is not UTF-8 text or longer than {} "
                       "bytes: left out",
                       no_text_, no_text_ > 1 ? "s" : "", longest_text)});
  }

private:
  static bool is_text(const std::string& text) {
    return text.size() <= longest_text && first_bad_byte(text) == std::string::npos;
  }
  static Listener& of(void* self) { return *static_cast<Listener*>(self); }

  void begin_row(const char* table) {
    figures_.rows.push_back({block_, table != nullptr ? table : "", {}});
    in_row_ = true;
  }

  /// A row of nothing only says that there is the table; one of "warnings" is about the block's figures.
  void end_row() {
    if (!in_row_) return;
    in_row_ = false;
    const SummaryRow& row = figures_.rows.back();
    if (row.columns.empty()) {
      if (!row.table.empty()) figures_.tables.push_back({row.block, row.table});
    } else if (row.table == "warnings") {
      for (const SummaryFigure& column : row.columns)
        if (const auto* text = std::get_if<std::string>(&column.value)) figures_.warnings.push_back({block_, *text});
    } else {
      return;
    }
    figures_.rows.pop_back();
  }

  void take(const char* key, std::variant<double, std::string> value, const char* unit) {
    SummaryFigure figure{.block = block_,
                         .key = key != nullptr ? key : "",
                         .value = std::move(value),
                         .unit = unit != nullptr ? unit : ""};
    const auto* const text = std::get_if<std::string>(&figure.value);
    if (!is_text(figure.key) || !is_text(figure.unit) || (text != nullptr && !is_text(*text))) {
      ++no_text_;
      return;
    }
    if (figure.unit.starts_with('@'))
      if (const Unit* const known = unit_of_wires(*speaking_, figure.unit)) figure.unit = known->text();
    if (figure.unit == "1") figure.unit.clear();
    if (figure.key.empty()) return;
    if (in_row_) {
      figures_.rows.back().columns.push_back(std::move(figure));
      return;
    }
    if (!own_.insert(figure.key).second) {
      twice_.insert(figure.key);
      return;
    }
    figures_.figures.push_back(std::move(figure));
  }

  /// A figure that was given already by the same block; the first is kept.
  void warn_of_repeated() {
    if (twice_.empty()) return;
    figures_.warnings.push_back(
        {block_, fmt::format("summarize gives figures of one name more than once: {}; the first of each is kept",
                             listed({twice_.begin(), twice_.end()}, most_listed))});
  }

  SummaryFigures& figures_;
  hilda_summary_sink sink_{};
  std::string block_;
  const SystemBlock* speaking_ = nullptr;
  bool in_row_ = false;
  std::size_t no_text_ = 0;           ///< figures of the block that is heard
  std::set<std::string> own_, twice_; ///< keys of the block that is heard
};

} // namespace

SummaryFigures gather_figures(const Runtime& runtime) {
  const ProcessWatch watch;
  SummaryFigures figures;
  Listener listener(figures);
  for (const BlockIndex block : runtime.system().blocks.indices()) {
    const hilda_block_type& type = *runtime.memory().layout(block).abi;
    if (type.extension == nullptr) continue;
    const auto* speaker = static_cast<const hilda_summary_1*>(type.extension("hilda.summary/1"));
    if (speaker == nullptr || speaker->summarize == nullptr) continue;
    listener.hear(runtime.system().blocks[block], *speaker, runtime.memory().record(block));
  }
  for (const ProcessChange& change : ProcessWatch::changes())
    figures.warnings.push_back({change.block, process_words(change)});
  return figures;
}

std::vector<std::string> shared_figures(const SummaryFigures& figures) {
  std::map<std::string, std::string> first; // by key: the block
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> shared;
  for (const SummaryFigure& figure : figures.figures) {
    const auto [by, fresh] = first.try_emplace(figure.key, figure.block);
    if (!fresh) shared[{by->second, figure.block}].push_back(figure.key);
  }
  std::vector<std::string> sentences;
  for (const auto& [blocks, keys] : shared)
    sentences.push_back(fmt::format("the blocks {} and {} both give figures that are called {}: the summary has those "
                                    "of {} by that name, and those of {} under blocks.{}",
                                    blocks.first, blocks.second, listed(keys, most_listed), blocks.first, blocks.second,
                                    blocks.second));
  return sentences;
}

} // namespace hilda::session

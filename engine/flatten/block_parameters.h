#pragma once

#include "engine/flatten/instance.h"
#include "engine/flatten/type_table.h"

namespace hilda {

/// Reads the parameters of a block: given, set or by default, one for each parameter slot of its type. Numbers are
/// fitted to shape, unit and choice later; paths are settled here.
/// Codes: unknown-attribute, missing-parameter, those of SearchRoots::find and of expressions.
class BlockParameterReader {
public:
  BlockParameterReader(Evaluation& evaluation, FlattenContext& context) : evaluation_(evaluation), context_(context) {}

  /// `complete` becomes false where a value is missing or wrong, so that nothing can be made of the block.
  std::vector<ParameterValue> read(const BlockDecl& block, const TypeInfo& info, const Instance& at,
                                   SettingNode* settings, bool& complete);

private:
  void report_unknown(const Attribute& attribute, const BlockDecl& block, const TypeInfo& info);
  void report_missing(const Slot& slot, const BlockDecl& block, const TypeInfo& info, const Instance& at);
  bool evaluate(const Slot& slot, const std::string& text, Location where, const Instance& at, ParameterValue& into);
  bool settle_path(Location where, const Instance& at, Value& value);

  Evaluation& evaluation_;
  FlattenContext& context_;
};

/// The source in which a location lies; null where it is the command line.
const Sources::File* source_of(const Sources& sources, Location where);

} // namespace hilda

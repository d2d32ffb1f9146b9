// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/rig/rsi_context.h"

#include "engine/base/plain_number.h"
#include "engine/diagram/plain_document.h"

#include <algorithm>
#include <cctype>

namespace hilda::cli {

std::optional<double> RsiObject::number(const std::string& name) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::nullopt : plain_number(found->second);
}

const RsiObject* RsiContext::object(const std::string& type) const {
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const RsiObject& o) { return o.type == type; });
  return found == objects.end() ? nullptr : &*found;
}

bool RsiContext::wired(const std::string& from_id, const std::string& to_type) const {
  return std::any_of(objects.begin(), objects.end(), [&](const RsiObject& o) {
    return o.type == to_type && std::find(o.inputs.begin(), o.inputs.end(), from_id) != o.inputs.end();
  });
}

std::optional<RsiContext> read_rsi_context(const std::string& path, std::string& problem) {
  const std::optional<PlainElement> file = read_plain_xml(path, problem);
  if (!file) return std::nullopt;
  RsiContext context;
  for (const PlainElement* element : file->below("RSIObject")) {
    RsiObject object;
    object.type = element->attribute("ObjType");
    std::transform(object.type.begin(), object.type.end(), object.type.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    object.id = element->attribute("ObjID");
    for (const PlainElement* each : element->below("Parameter"))
      object.parameters[std::string(each->attribute("Name"))] = each->attribute("ParamValue");
    for (const PlainElement* each : element->below("Input")) object.inputs.emplace_back(each->attribute("OutObjID"));
    context.objects.push_back(std::move(object));
  }
  if (!context.objects.empty()) return context;
  problem = path + " has no RSIObject: it is not an RSI context (NAME.rsi.xml, or NAME.rsix of RSI 5)";
  return std::nullopt;
}

} // namespace hilda::cli

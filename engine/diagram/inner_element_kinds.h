// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/detail/model/element_kind.h"
#include "engine/modules.h"

namespace hilda::diagram {

// What may be inside a block that has its own slots, such as math/Equations. The reader keeps the attributes as they
// are: what they mean is the block's matter.

namespace attributes {

inline constexpr AttributeKind inner_name =
    AttributeKind{"name", "parameter_name", "What equations call it"}.required();
inline constexpr AttributeKind inner_initial{"initial", "text", "At the start; 0 if not given"};
inline constexpr AttributeKind inner_unit{"unit", "unit", "SI; none if not given"};
inline constexpr AttributeKind inner_shape{"shape", "text", "3, or 3 3; one number if not given"};

/// Of an fmi/Fmu, which `hilda import-fmu` writes.
inline constexpr auto of_fmu =
    std::to_array<AttributeKind>({{"variable", "text", "Of an FMU: the variable; that of this name if not given"},
                                  {"kind", "text", "Of an FMU: real, integer, natural, boolean, text or choice"},
                                  {"factor", "text", "Of an FMU: how many of the SI unit one of the FMU's is"},
                                  {"offset", "text", "Of an FMU: zero of the FMU's unit, in SI"}});
inline constexpr AttributeKind feeds_through{
    "feeds_through", "flag", "Of an FMU: an output depends on an input of the same sample; false if not given"};

inline constexpr auto inner_input =
    joined(std::to_array<AttributeKind>({inner_name, inner_unit, inner_shape, feeds_through, doc}), of_fmu);
inline constexpr auto inner_output = joined(
    std::to_array<AttributeKind>({inner_name, inner_initial, inner_unit, inner_shape, feeds_through, doc}), of_fmu);
inline constexpr auto inner_parameter =
    joined(std::to_array<AttributeKind>({inner_name,
                                         {"value", "text", "With its unit; left out: an attribute of the block"},
                                         {"unit", "unit", "That of its value if not given"},
                                         inner_shape,
                                         {"live", "flag", "Of an FMU: it may change during a run; false if not given"},
                                         {"choices", "text", "Of an FMU: the words of a choice, with '|' between them"},
                                         doc}),
           of_fmu);
inline constexpr auto inner_state =
    std::to_array<AttributeKind>({AttributeKind{"name", "name", "What equations or transitions call it"}.required(),
                                  inner_initial,
                                  inner_unit,
                                  inner_shape,
                                  {"start", "flag", "Of a chart: it, or the state around it, begins with this one"},
                                  {"final", "flag", "Of a chart: it is not meant to be left"},
                                  {"entry", "text", "Of a chart: actions when it is entered: y = 1; n = n + 1"},
                                  {"during", "text", "Of a chart: actions at a sample without a transition"},
                                  {"exit", "text", "Of a chart: actions when it is left"},
                                  doc});
inline constexpr auto inner_transition =
    std::to_array<AttributeKind>({AttributeKind{"from", "name", "The state that is left"}.required(),
                                  AttributeKind{"to", "name", "The state that is entered"}.required(),
                                  {"when", "text", "Condition: u > 0 && after(2 s); always if not given"},
                                  {"do", "text", "Actions on the way"},
                                  doc});
inline constexpr auto inner_equation =
    std::to_array<AttributeKind>({AttributeKind{"is", "text", "The line"}.required(),
                                  {"when", "text", "A condition: the next value is taken when it becomes true"},
                                  doc});

} // namespace attributes

namespace inner_elements {

inline constexpr ElementKind state{"state", "What equations remember; a state of a chart, which may hold states",
                                   attributes::inner_state};
inline constexpr std::array<ElementKind, 6> all{
    {{"input", "A signal that comes in", attributes::inner_input},
     {"output", "A signal that goes out; in a chart what actions give values", attributes::inner_output},
     {"parameter", "A number that the block is given", attributes::inner_parameter},
     state,
     {"equation", "A line: x' = v, n+ = n + 1, y = k*x", attributes::inner_equation},
     {"transition", "Of a chart: a way from one state to another", attributes::inner_transition}}};

} // namespace inner_elements

} // namespace hilda::diagram

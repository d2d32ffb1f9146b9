// SPDX-License-Identifier: BSD-3-Clause
// Mistakes that do not compile: the compiler's first error is the SDK's own words. Each line with words is compiled by
// itself, as mistakes.py puts it into a block: a member of it, or behind "in output" a statement of its output.
#include <hilda/block.h>

#include <vector>

using namespace hilda;

// clang-format off
Input<double> no_unit{*this, "u", "A number without unit"};                   // says: numbers are declared as
Output<double> no_unit{*this, "y", "A number without unit", from_state};      // says: numbers are declared as
State<double> no_unit{*this, "x", "A number without unit"};                   // says: numbers are declared as
ContinuousState<double> no_unit{*this, "x", "A number without unit"};         // says: numbers are declared as
Crossing<double> no_unit{*this, "x", "A number without unit"};                // says: numbers are declared as
Input<Vector> no_shape{*this, "u", "m", "A vector without shape"};            // says: what has its size from the diagram
Inputs<Vector> no_shape{*this, "u", "m", "Vectors without shape"};            // says: a repeated port is declared as
Outputs<Vector> no_shape{*this, "y", "m", "Vectors without shape"};           // says: a repeated port is declared as
Inputs<double> items{*this, "u", "1", "Repeated numbers"};                    // says: the items of a repeated port
Outputs<Vector3> items{*this, "y", "m", "Repeated vectors"};                  // says: the items of a repeated port
Parameter<double> number_as_unit{*this, "k", 1.0};                            // says: the unit of a plain number
Parameter<double> text_as_default{*this, "k", "1", "Gain", "3"};              // says: attributes follow the docstring
Parameter<Text> no_docstring{*this, "label"};                                 // says: texts, expressions, files and words
Parameter<Path> no_docstring{*this, "file"};                                  // says: texts, expressions, files and words
State<std::vector<double>> container{*this, "s", "1", "A std::vector"};       // says: no such elements
State<std::string> text{*this, "s", "A std::string"};                         // says: no such elements
Input<float> single{*this, "u", "1", "Single precision"};                     // says: no such elements
Input<int> whole{*this, "u", "1", "An int"};                                  // says: no such elements
Ring<Vector3> line{*this, "line", "3", "m", "Entries by type"};               // says: Ring<> and, say
Ring<> short_line{*this, "line", "m", "A ring without shape"};                // says: a ring is declared as
Joined no_name{*this, optional, "state"};                                     // says: a port with parts is declared as
line.push(std::vector<double>{1, 2, 3});                                      // in output, says: what has its size from the diagram takes
line.push(Pose{});                                                            // in output, says: by store_value
vector = std::vector<double>{1, 2, 3};                                        // in output, says: what has its size from the diagram takes
number = "text";                                                              // in output, says: the value does not fit
number = given;                                                               // in output, says: read by *: y = *u
vector = list;                                                                // in output, says: read by *: y = *u
number = *point;                                                              // in output, says: the value does not fit
point = 3.0;                                                                  // in output, says: the value does not fit
point = std::vector<double>{1, 2, 3};                                         // in output, says: the value does not fit
t.fail(std::string("too hot"));                                               // in output, says: stop and fail take a text
t.stop("too hot " + std::to_string(3));                                       // in output, says: stop and fail take a text
// clang-format on

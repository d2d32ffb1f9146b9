// Mistakes that do not compile: the compiler's errors are the SDK's own words. Compiled by mistakes.py, never linked.
#include <hilda/plugin.h>

#include <vector>

using namespace hilda;

struct Joined : Parts {
  using Parts::Parts;
};

struct Mistaken : Block {
  Input<double> no_unit{*this, "u", "A number without unit"};             // says: numbers are declared as
  Input<Vector> no_shape{*this, "u", "m", "A vector without shape"};      // says: what has its size from the diagram
  Parameter<double> number_as_unit{*this, "k", 1.0};                      // says: the unit of a plain number
  Parameter<double> text_as_default{*this, "k", "1", "Gain", "3"};        // says: attributes follow the docstring
  State<std::vector<double>> container{*this, "s", "1", "A std::vector"}; // says: hilda: no such elements
  Input<float> single{*this, "u", "1", "Single precision"};               // says: hilda: no such elements
  Ring<Vector3> line{*this, "line", "3", "m", "Entries by type"};         // says: Ring<> and, say
  Ring<> short_line{*this, "line", "m", "A ring without shape"};          // says: a ring is declared as
  Joined no_name{*this, optional, "state"};                               // says: a port with parts is declared as
};
HILDA_BLOCK(Mistaken, "Does not compile.")

/* SPDX-License-Identifier: BSD-3-Clause */
/* "hilda.ports/1": an instance has its own slots, which follow from the elements inside its <block>.
 *
 * A type with this ability is asked for another type, once for each of its blocks, when a diagram is flattened; the
 * block is then of that type. Catalogues show the type in the table of the plugin itself. */
#ifndef HILDA_PORTS_H
#define HILDA_PORTS_H

#include <hilda/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Powers of the base dimensions of a unit. Which one is which is the engine's matter: they are added, multiplied and
 * compared. An angle counts as 1 here, as it does in a written formula. */
#define HILDA_UNIT_POWERS 16

/* An element inside a <block>: <input name="u" unit="N"/>. */
typedef struct hilda_child {
  uint32_t size;
  uint32_t attribute_count;
  const char* tag;
  const char* const* names;
  const char* const* texts; /* as written */
  /* Appended, where `size` reaches this far. The number of the element that contains this one, and comes before it;
   * hilda_body::child_count: in the block. */
  uint64_t within;
} hilda_child;

/* The inside of a <block>. To an element with `value` or `initial` the engine adds what that has and the element
 * does not say: its `unit` and its `shape`. */
typedef struct hilda_body {
  uint32_t size;
  uint32_t child_stride;
  void* engine;
  const char* path; /* of the block: "rig.cart" */
  const hilda_child* children;
  uint64_t child_count;
  /* Reads a unit: its powers, and how many of the SI unit one is. 0, or non-zero after a report. */
  int32_t (*unit)(void* engine, uint64_t child, const char* text, double* powers, double* factor);
  /* The unit of these powers as text, cut at `capacity` bytes: "m/s2". */
  void (*unit_text)(void* engine, const double* powers, char* text, uint64_t capacity);
  /* Reports an error in an element, or in its attribute of this name, and what to do; the texts are copied. The number
   * of an element that is not there means the block itself. */
  void (*report)(void* engine, uint64_t child, const char* attribute, const char* what, const char* help);
  /* Appended, where `size` reaches this far. The same for a remark that is not a reason to refuse. */
  void (*warn)(void* engine, uint64_t child, const char* attribute, const char* what, const char* help);
} hilda_body;

typedef struct hilda_ports_1 {
  uint32_t size;
  uint32_t tag_count;
  const char* const* tags; /* of the elements that may be inside */
  /* A type for this body, or null after a report. Its parameters are attributes of the block, too: an element with
   * `value` gives the one of its name, an element with `initial` the one of its name with "_initial" behind it. */
  const hilda_block_type* (*make)(const hilda_body* body);
  /* Gives a record, right after construct, its type: the one whose `slots` make has returned. */
  void (*bind)(const hilda_block_type* type, void* record);
  /* The type, which make has returned, is not used any more. */
  void (*release)(const hilda_block_type* type);
  /* Appended, where `size` reaches this far. The tag of elements that may be nested, one level deep; or null. */
  const char* nested;
} hilda_ports_1;

#ifdef __cplusplus
}
#endif

#endif

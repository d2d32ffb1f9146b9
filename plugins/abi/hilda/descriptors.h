/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors that a plugin holds open: "hilda.descriptors/1", an ability of the program (hilda_host::extension). Where
 * code of another plugin closes one, or puts another file in its place, hilda restores it and reports it by its name.
 */
#ifndef HILDA_DESCRIPTORS_H
#define HILDA_DESCRIPTORS_H

#include <hilda/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Not for the loop. Any thread. */
typedef struct hilda_descriptors_1 {
  uint32_t size;
  uint32_t reserved;
  /* `name`: "the socket to 192.168.1.1:49152"; the text is copied. hilda keeps a copy of the descriptor, so the file
   * stays open until `forget`. Null: it cannot be watched. */
  void* (*watch)(int32_t descriptor, const char* name);
  /* Before the plugin closes it: from then on the number may be another's. */
  void (*forget)(void* watched);
} hilda_descriptors_1;

#ifdef __cplusplus
}
#endif

#endif

/* What 1.1 has added, frozen: the program introduces itself, and a block warns. */
#include <hilda/abi.h>

#include <stddef.h>

typedef struct record {
  double minor, warned;
} record;

static uint32_t minor_of_host;

static int32_t attach(const hilda_host* host) {
  if (host->size < offsetof(hilda_host, extension) + sizeof host->extension) return 1;
  if (host->abi_major != 1 || host->name == NULL || host->version == NULL) return 1;
  if (host->extension(host->engine, "hilda.unheard_of/1") != NULL) return 1;
  host->warn(host->engine, "attach has a word to say");
  minor_of_host = host->abi_minor;
  return 0;
}

static int32_t configure(void* r, const hilda_instance* self) {
  if (self->size < offsetof(hilda_instance, warn) + sizeof self->warn) return 0;
  self->warn(self->engine, NULL, "configure has a word to say");
  ((record*)r)->warned = 1;
  return 0;
}
static void output(void* r, const hilda_tick* now) {
  (void)now;
  ((record*)r)->minor = minor_of_host >= 1 ? 1 : 0;
}

static const hilda_slot slots[] = {{.size = sizeof(hilda_slot),
                                    .role = HILDA_OUTPUT,
                                    .element = HILDA_F64,
                                    .name = "minor",
                                    .shape = "",
                                    .doc = "1: the program has said that it knows 1.1",
                                    .offset = offsetof(record, minor)},
                                   {.size = sizeof(hilda_slot),
                                    .role = HILDA_OUTPUT,
                                    .element = HILDA_F64,
                                    .name = "warned",
                                    .shape = "",
                                    .doc = "1: there is a channel for warnings",
                                    .offset = offsetof(record, warned)}};

static const hilda_block_type types[] = {{.size = sizeof(hilda_block_type),
                                          .name = "Meets",
                                          .doc = "Tells what the program has said of itself.",
                                          .record_size = sizeof(record),
                                          .record_align = _Alignof(record),
                                          .slots = slots,
                                          .slot_count = 2,
                                          .slot_stride = sizeof(hilda_slot),
                                          .configure = configure,
                                          .output = output}};
static const hilda_plugin plugin = {.size = sizeof(hilda_plugin),
                                    .abi_major = 1,
                                    .abi_minor = 1,
                                    .type_stride = sizeof *types,
                                    .name = "frozen_attach",
                                    .version = "1",
                                    .built = "C",
                                    .types = types,
                                    .type_count = sizeof types / sizeof *types,
                                    .attach = attach};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }

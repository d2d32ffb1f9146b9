/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals of recorded files, for a block that plays one: "hilda.recordings/1", an ability of the program
 * (hilda_host::extension), and how `infer` reports units that follow from a file. */
#ifndef HILDA_RECORDINGS_H
#define HILDA_RECORDINGS_H

#include <hilda/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which signal of which file. */
typedef struct hilda_recording_request {
  uint32_t size;
  uint32_t head_only; /* 1: shape and unit alone; of some files that takes no pass over the samples */
  const char* file;   /* an MCAP log of hilda, or a MAT file: its content says which */
  const char* signal; /* "rig.sensor.wrench.force", "plant.position" */
  const char* time;   /* of a MAT file: the variable with the times in s; "": found next to the signal */
  const char* unit;   /* of the values, where the file does not say it; "": the file must */
  void* context;
  /* Says what is wrong, with which of "file", "signal", "time" and "unit". The texts are copied. */
  void (*refuse)(void* context, const char* word, const char* text);
  void (*warn)(void* context, const char* word, const char* text);
} hilda_recording_request;

/* Finite numbers, in SI, at rising times. */
typedef struct hilda_recording {
  uint32_t size;
  uint32_t reserved;
  int32_t rows, cols;
  uint64_t samples;     /* 0 where only the head was asked for */
  const double* times;  /* s */
  const double* values; /* sample by sample, each column by column */
  const char* unit;     /* in SI: "m/s", "1" */
} hilda_recording;

/* Not for the loop. Any thread. */
typedef struct hilda_recordings_1 {
  uint32_t size;
  uint32_t reserved;
  /* Null after a refusal. */
  const hilda_recording* (*read)(const hilda_recording_request* request);
  void (*release)(const hilda_recording* recording);
} hilda_recordings_1;

/* The argument of `infer` since 1.1, where `shapes.size` reaches this far: it begins with a hilda_inference. */
typedef struct hilda_inference_with_units {
  hilda_inference shapes;
  /* Gives a unit to the variable `name` of the slots' units ("y" of "@y"). `slot`: the parameter that it comes from. */
  void (*unit)(void* engine, const char* name, const char* unit, const char* slot);
} hilda_inference_with_units;

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: BSD-3-Clause
/* What the tests of the C API check with. */
#ifndef HILDA_TESTS_EMBED_H
#define HILDA_TESTS_EMBED_H

#include <hilda/embed.h>
#include <stdio.h>

extern int faults;

void fault(const char* file, int line, const char* what);
void check_status(const char* file, int line, int status, int wanted);
void check_error(const char* file, int line, int status, int wanted, const char* text);
hilda_sim* load_text(const char* text);

/* guests.c */
void puts_signals_back(const char* folder);
void puts_the_folder_back(const char* folder);
void finds_what_a_single_tick_took(const char* folder);
void watches_long_calls_after_many_short_ones(const char* folder);

#define CHECK(condition) ((condition) ? (void)0 : fault(__FILE__, __LINE__, #condition))
#define STATUS(call, wanted) check_status(__FILE__, __LINE__, (call), (wanted))
/* The call is refused with just this text. */
#define ERROR_TEXT(call, wanted, text) check_error(__FILE__, __LINE__, (call), (wanted), (text))

#endif

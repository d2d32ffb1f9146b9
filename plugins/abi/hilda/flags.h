/* SPDX-License-Identifier: BSD-3-Clause */
/* Flags of a block type and of a slot, in addition to those in abi.h. */
#ifndef HILDA_FLAGS_H
#define HILDA_FLAGS_H

/* Of a type: it flags what it does. While the block's inputs, states and parameters are finite (a parameter may be
 * infinite where its default is), a number that it writes to an output or a state is finite, too, or an operation of
 * that very call has set the processor's mark for it: invalid, division by zero or overflow (of MXCSR on x86-64, of
 * FPSR on arm64). It never clears such a mark. So what is written as NaN or as an infinity, read from a file or a
 * device, or made of bits does not go with it. The engine then finds NaN by the marks and does not look at each of the
 * block's values at every tick; `hilda test-plugin` tries to find a block out that says so and does otherwise. */
#define HILDA_RAISES_FLAGS (1u << 4)

/* Between two ticks the block's outputs or derivatives follow time itself, and not its inputs and states alone: steps
 * of a variable length go no further than a tick where it is continuous, or they could pass what it does in between. A
 * block without continuous states whose output has the flag HILDA_STATE_OUTPUT does not need it. */
#define HILDA_FOLLOWS_TIME (1u << 5)

/* Of a source, since 1.1: time changes its outputs only at its crossings, each of which is passed once; of one
 * without crossings, never. Steps need not look at each tick for what it does. */
#define HILDA_STEADY (1u << 6)

/* All of the plugin's blocks raise flags, but not this one. It stays in the plugin: for those of hilda itself. */
#define HILDA_RAISES_NO_FLAGS (1u << 31)

/* Of a crossing that is work, since 1.1: what changes its sign is how fast the value changes. The engine measures that
 * along the solution and writes it, per s, instead of the value before it asks `event`. An infinite value stands for
 * an infinite rate. It is written in output or state_output. */
#define HILDA_CROSSING_RATE (1u << 22)

/* Of an input, since 1.1: a wire to it may have any unit, each one of a repeated input its own; the block takes the
 * numbers in SI. The slot's own unit is 1. */
#define HILDA_ANY_UNIT (1u << 23)

/* Of a parameter, since 1.1: the difference of two values (an amplitude, a width, a deviation) or a factor. A unit with
 * another zero, such as degC, has no meaning there and is refused. */
#define HILDA_DIFFERENCE (1u << 24)

#endif

/* Flags of a block type, beside those in abi.h: it flags what it does. */
#ifndef HILDA_FLAGS_H
#define HILDA_FLAGS_H

/* While the block's inputs, states and parameters are finite (a parameter may be infinite where its default is), a
 * number that it writes to an output or a state is finite, too, or an operation of that very call has set the
 * processor's mark for it: invalid, division by zero or overflow (of MXCSR on x86-64, of FPSR on arm64). It never
 * clears such a mark. So what is written as NaN or as an infinity, read from a file or a device, or made of bits does
 * not go with it. The engine then finds NaN by the marks and does not look at each of the block's values at every tick;
 * `hilda test-plugin` tries to find a block out that says so and does otherwise. */
#define HILDA_RAISES_FLAGS (1u << 4)

/* All of the plugin's blocks do, but not this one. It stays in the plugin: for those of hilda itself. */
#define HILDA_RAISES_NO_FLAGS (1u << 31)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of the user's, which the plugin needs. */
#include "model.h"

double model_step(double state, double input) { return 0.9 * state + 0.1 * input; }

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

double model_step(double state, double input);

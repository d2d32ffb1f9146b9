# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    a = hilda.Parameter(default=1, minimum=3, maximum=2)

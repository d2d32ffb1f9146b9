# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    u = hilda.Input(repeated=True, kind="pose")

# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    state = hilda.Input()
    speed = hilda.Input(port="state")

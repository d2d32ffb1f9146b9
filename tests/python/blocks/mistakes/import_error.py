# SPDX-License-Identifier: BSD-3-Clause
import hilda
import not_there


@hilda.block
class It(hilda.Block):
    pass

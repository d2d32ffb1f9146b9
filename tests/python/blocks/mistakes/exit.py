# SPDX-License-Identifier: BSD-3-Clause
import sys

import hilda


@hilda.block
class It(hilda.Block):
    def update(self, t):
        sys.exit(3)

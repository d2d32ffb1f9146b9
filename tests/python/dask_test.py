# SPDX-License-Identifier: BSD-3-Clause
"""hilda.sweep.run: a study on a Dask cluster of processes over loopback, one of which is killed."""

import os
import pathlib
import shutil
import signal
import sys
import tempfile
import threading
import unittest

import numpy as np

import hilda

try:
    import distributed
except ImportError:
    print("Dask's distributed is not there (apt: python3-distributed): skipped")
    sys.exit(77)

here = pathlib.Path(__file__).resolve().parent
STUDY = """<study format="1" name="small" diagram="plant.xml" seed="3">
  <set path="noise" value="0.01"/>
  <axis path="gain" from="1" to="30" count="{count}"/>
  <axis path="delay" values="0 20 ms"/>
  <draw path="seed" repeat="4"/>
  <figure name="mean" from="record.mean"/>
</study>
"""


class DaskTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(here.parent / "sweep/cases/plant.xml", self.folder)
        self.cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1",
                                                dashboard_address=None, local_directory=str(self.folder / "dask"))
        self.addCleanup(self.cluster.close)
        self.client = distributed.Client(self.cluster)
        self.addCleanup(self.client.close)

    def study(self, count):
        (self.folder / "study.xml").write_text(STUDY.format(count=count))
        return hilda.Study(self.folder / "study.xml")

    def same(self, results, study):
        whole = study.run(self.folder / "whole.sqlite", jobs=2)
        self.assertEqual(len(results), len(whole))
        for name in whole.columns:
            np.testing.assert_array_equal(results.columns[name], whole.columns[name], name)

    def test_a_cluster_has_the_rows_of_one_program(self):
        study = self.study(20)
        results = hilda.sweep.run(study, self.folder / "s.sqlite", client=self.client)
        self.same(results, study)
        self.assertEqual(sorted(f.name for f in self.folder.glob("s*")), ["s.sqlite", "study.xml"])
        with self.assertRaisesRegex(hilda.Error, "exists already"):
            hilda.sweep.run(study, self.folder / "s.sqlite", client=self.client)

    def test_a_worker_that_is_killed_loses_no_row(self):
        study = self.study(600)
        killed, over = [], threading.Event()
        self.addCleanup(over.set)

        def kill():
            shards = self.folder / "s_shards"
            while not killed and not over.is_set():
                if shards.is_dir() and len(list(shards.glob("*.sqlite"))) >= 2:
                    worker = next(iter(self.cluster.workers.values()))
                    killed.append(worker.process.pid)
                    os.kill(killed[0], signal.SIGKILL)
                over.wait(0.02)
        thread = threading.Thread(target=kill)
        thread.start()
        results = hilda.sweep.run(study, self.folder / "s.sqlite", client=self.client, shards=6)
        over.set()
        thread.join()
        self.assertEqual(len(killed), 1, "no worker was killed: the study is too short for this test")
        self.same(results, study)

    def test_a_mistake_is_told_once_and_here(self):
        study = self.study(3)
        study.file.write_text(STUDY.format(count=3).replace('path="noise"', 'path="niose"'))
        with self.assertRaisesRegex(hilda.Error, "did you mean 'noise'"):
            hilda.sweep.run(study, self.folder / "s.sqlite", client=self.client)


if __name__ == "__main__":
    unittest.main()

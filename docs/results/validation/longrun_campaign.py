# SPDX-License-Identifier: BSD-3-Clause
"""Runs jobs that a store lacks, and keeps their figures."""
import json
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def fresh(job):
    with tempfile.TemporaryDirectory() as folder:
        return job.run(Path(folder))


def fill(store, groups, minutes, threads, samples):
    """Runs what is missing, in order, until the time is over. Runs of older diagrams or blocks are taken over where
    `samples` of their kind, run again, are the same to the bit."""
    begun = time.time()
    kinds = {}
    for group in groups:
        for job in group.values():
            kinds.setdefault(job.kind, {})[job.key] = job
    for kind, jobs in kinds.items():
        taken = store.confirm({key: (lambda job=job: json.loads(json.dumps(fresh(job)))) for key, job in jobs.items()}, samples)
        if taken:
            print(f"{kind}: {taken} runs of an older state confirmed", flush=True)

    def one(job):
        if job.key not in store.figures and time.time() - begun < 60 * minutes:
            store.keep(job.key, json.loads(json.dumps(fresh(job))))

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, [job for group in groups for job in group.values()]))

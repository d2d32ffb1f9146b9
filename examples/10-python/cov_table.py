"""Makes the table of CoV over the robot's delay for each method, and a plot of the first contact's force."""

import argparse
import pathlib
import subprocess

import hilda

METHODS = ["uncompensated", "pic", "acc", "dac", "pida"]


def first_cov(simulation: hilda.Simulation) -> float:
    """Speed after the first contact over that without delay."""
    return simulation.summary["contacts"][0]["cov"]


def cov_table(delays: list[str]) -> dict[str, list[float]]:
    table = {}
    for method in METHODS:
        simulation = hilda.Simulation(hilda.library_file(f"{method}.xml"), settings={"contacts": 1})
        table[method] = []
        for delay in delays:
            simulation.set("response_delay", delay)
            simulation.run(record=[])
            table[method].append(first_cov(simulation))
    return table


def print_table(delays: list[str], table: dict[str, list[float]]) -> None:
    print(f"{'CoV':14}" + "".join(f"{delay:>8}" for delay in delays))
    for method, covs in table.items():
        print(f"{method:14}" + "".join(f"{cov:8.3f}" for cov in covs))


def plot_forces(folder: pathlib.Path) -> None:
    """The force that moves the satellite, of each method, around the first contact."""
    logs = []
    for method in METHODS:
        simulation = hilda.Simulation(
            hilda.library_file(f"{method}.xml"), settings={"contacts": 1, "response_delay": "20 ms"})
        logs.append(folder / f"{method}.mcap")
        run = simulation.run(log=logs[-1], record=["figures.applied"])
        force = abs(run["figures.applied.x"])
        print(f"{method:14} largest force {force.max():6.1f} N at {run.time[force.argmax()]:.3f} s", flush=True)
    names = [word for method in METHODS for word in ("--name", method)]
    subprocess.run(["hilda", "plot", *logs, *names, "--signals", "figures.applied.x", "--axis", "Applied force",
                    "--from", "0.74", "--to", "0.92", "-o", folder / "forces.svg"], check=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--delays", nargs="+", default=["0 ms", "4 ms", "8 ms", "12 ms", "16 ms", "20 ms"])
    arguments.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out"))
    given = arguments.parse_args()
    given.out.mkdir(exist_ok=True)
    print_table(given.delays, cov_table(given.delays))
    print()
    plot_forces(given.out)


if __name__ == "__main__":
    main()

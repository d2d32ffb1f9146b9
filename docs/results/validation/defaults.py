#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the models of defaults/ with defaults alone and with each solver that fits, and compares them with independent results.

    docs/results/validation/defaults.py [--check] [--only MODEL] [path to hilda]

Without --check it computes defaults/references.json by SciPy (python3-scipy; without it the references of the last time stay), runs
everything and writes defaults.md; with --only the lines of that model. With --check it needs no SciPy: it runs each model with defaults, short ones with dopri5 too, and fails where an error is above the one that
the page states.
"""
import json
import math
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runs  # noqa: E402
from tables import table  # noqa: E402

here = Path(__file__).resolve().parent
folder = here / "defaults"
stored = folder / "references.json"
SAMPLES = 40
SOLVERS = ["rk4", "located", "dopri5", "rosenbrock", "cvode", "adams"]
PATHSIM, BDSIM, MODELICA = ("https://github.com/milanofthe/pathsim/blob/master/examples/", "https://github.com/petercorke/bdsim/blob/main/examples/",
                            "https://github.com/modelica/ModelicaStandardLibrary/blob/master/Modelica/Blocks/Examples/")
SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.integrate.solve_ivp.html"
BOOK = "textbook"
# Model: its signal, where it is from, what its author had to write that the original has not, solvers that do not fit.
MODELS = {
    "bouncing_ball": ("height.y", PATHSIM + "examples_event/example_bouncingball.py", ""),
    "ball_at_rest": ("height.y", BOOK, ""),
    "van_der_pol": ("oscillator.y", PATHSIM + "example_vanderpol.py", ""),
    "van_der_pol_stiff": ("oscillator.y", PATHSIM + "example_vanderpol.py", "a period of 1 s, or its log is 2 million rows"),
    "lorenz": ("x.y", PATHSIM + "example_lorenz.py", ""),
    "pendulum": ("angle.y", PATHSIM + "example_pendulum.py", ""),
    "cart_pole_pushed": ("cart_pole.angle", BDSIM + "cartpole.py", ""),
    "drive_train": ("train.speed", MODELICA + "PID_Controller.mo", "no steady-state start: values by hand; no rad in the units of Equations"),
    "relay_loop": ("x.y", BOOK, ""),
    "thermostat": ("room.y", PATHSIM + "examples_event/example_thermostat.py", ""),
    "dc_motor": ("speed.y", PATHSIM + "example_dcmotor.py", ""),
    "smith_predictor": ("dead_time.y", "https://www.mathworks.com/help/control/ug/control-of-processes-with-long-dead-time-the-smith-predictor.html", ""),
    "delay_equation": ("x.y", BOOK, ""),
    "mackey_glass": ("x.y", BOOK, ""),
    "robertson": ("reaction.a", PATHSIM + "example_robertson.py", ""),
    "arenstorf": ("orbit.px", BOOK, ""),
    "stick_slip": ("place.y", PATHSIM + "examples_event/example_stickslip_event.py", "`applied` wired"),
    "coulomb_oscillator": ("place.y", BOOK, "`applied` wired"),
    "noise_filter": ("filter.y", BOOK, ""),
    "dead_beat": ("place.y", BOOK, ""),
    "rc_ladder_pi": ("circuit.y", "https://github.com/robertobucher/pysimCoder-examples/blob/master/BRIKI/RCRC/RCRC.py", ""),
    "chirp_notch": ("notch.y", BOOK, ""),
    "lead_loop": ("plant.y", BOOK, ""),
    "two_mass": ("masses.y", BOOK, ""),
    "pwm_slow": ("rc.y", BDSIM + "pwm.py", ""),
    "pwm_fast": ("winding.y", BOOK, ""),
    "step_at_zero": ("lag.y", BOOK, ""),
    "low_pass_at_zero": ("filter.y", BOOK, ""),
    "feedback": ("plant.y", BDSIM + "eg1.py", ""),
    "step_at_odd_time": ("plant.y", BDSIM + "eg1.py", ""),
    "observer": ("servo.y", "https://drake.mit.edu/doxygen_cxx/classdrake_1_1systems_1_1estimators_1_1_luenberger_observer.html", ""),
    "quadrotor_height": ("height.y", BOOK, ""),
    "bicycle": ("bicycle.py", BDSIM + "rvc4_2.py", ""),
    "cannon": ("height.y", SCIPY, ""),
    "lotka_volterra": ("prey.y", SCIPY, "a Gain of 1 1/s behind the product, and 1/s at the others"),
    "decay": ("x.y[2]", SCIPY, "1/s at the gain; a Constant at `start`, since `initial` gives no shape"),
    "cruise": ("car.speed", "https://github.com/python-control/python-control/blob/main/examples/cruise-control.py", "points=\"0 6; deg\""),
    "slew_rate": ("smoothed.y", MODELICA + "SlewRateLimiter.mo", ""),
    "butterworth": ("filter.y", MODELICA + "Filter.mo", "begins at 0: no steady-state start"),
    "duffing": ("x.y", PATHSIM + "example_duffing.py", ""),
    "sawtooth": ("integral.y", PATHSIM + "example_integrator_reset.py", ""),
}
OPTIONS = {"van_der_pol_stiff": {"period": "1 s"}}
# Explicit methods take too many steps for stiff equations, and fail or are slow by nature.
UNFIT = {"van_der_pol_stiff": {"dopri5", "adams"}, "robertson": {"dopri5", "adams"}}
LOOSE = {"arenstorf": 1.0, "lorenz": 1e-2}  # an error of the start grows by so much that tolerances of steps say little


def run(name, solver):
    """(rows of time and signal, messages, exit code)."""
    signal = MODELS[name][0]
    with tempfile.TemporaryDirectory() as place:
        text = (folder / f"{name}.xml").read_text()
        if solver == "located":
            text = text.replace('format="1"', 'format="1" events="located"', 1)
        file, log, rows = (Path(place) / each for each in (f"{name}.xml", "run.mcap", "run.csv"))
        file.write_text(text)
        command = [runs.hilda, "run", str(file), "--log", str(log)]
        if solver not in ("rk4", "located"):
            command += ["--solver", solver]
            for key, value in OPTIONS.get(name, {}).items():
                command += ["--set", f"{key}={value}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return [], "takes longer than a minute", -1
        said = "\n".join(line for line in done.stderr.splitlines() if "the shape of" not in line and "[open-input]" not in line).replace(place + "/", "")
        wanted = [signal] + (["noise.y"] if name == "noise_filter" else [])
        said += "".join(f"\n{line}" for line in done.stdout.splitlines() if "half a tick" in line or "warning[" in line)
        made = subprocess.run([runs.hilda, "export", str(log), *(each.split("[")[0] for each in wanted), "--csv", "-o", str(rows)],
                              capture_output=True, text=True)
        if made.returncode:
            return [], said or made.stderr, done.returncode
        lines = rows.read_text().splitlines()
        heads = [each.split(" [")[0] for each in lines[0].split(",")]
        picked = [0] + [heads.index(each) for each in wanted]
        found = []
        for line in lines[1:]:
            cells = line.split(",")
            if all(cells[i] for i in picked):
                found.append([float(cells[i]) for i in picked])
        return found, said, done.returncode


def sampled(rows, times):
    """The signal at the times of the references; None where the run did not get there."""
    where = {round(row[0] * 1e6): row[1] for row in rows}
    return [where.get(round(t * 1e6)) for t in times]


def filtered(rows):
    """1/(0.1 s + 1) of what was drawn, exactly, from tick to tick."""
    a, x, worst = math.exp(-0.01), 0.0, 0.0
    for _, y, noise in rows:
        worst, x = max(worst, abs(x - y)), a * x + (1 - a) * noise
    return worst


def error_of(name, rows, reference):
    if not rows:
        return math.inf
    if name == "noise_filter":
        return filtered(rows)
    found = sampled(rows, reference["times"])
    if any(each is None for each in found):
        return math.inf
    largest = max(abs(each) for each in reference["values"])
    return max(abs(a - b) for a, b in zip(found, reference["values"])) / largest


def times_of(name):
    text = (folder / f"{name}.xml").read_text()
    value, unit = text.split('name="duration" value="')[1].split('"')[0].split()
    end = 40.0 if name == "cannon" else float(value) * {"s": 1, "ms": 1e-3}[unit]
    late = 0.1 if name == "sawtooth" else 0.0  # not at the resets themselves: at one both values are right
    return [round(end * k / SAMPLES + late, 3) for k in range(SAMPLES)]


def show(error):
    return "fails" if math.isinf(error) else f"{error:.0e}"


def codes(said):
    """The messages, in short: codes of warnings and errors, and notes about sources."""
    found = []
    for line in said.splitlines():
        for kind in ("warning", "error"):
            if f"{kind}[" in line and "[open-input]" not in line:
                found.append(line.split(f"{kind}[")[1].split("]")[0])
        if "half a tick" in line:
            found.append("held for a tick")
        elif line.startswith("note:"):
            found.append("note: " + line[6:70].split(":")[0])
    return ", ".join(dict.fromkeys(found)) or "-"


def silent(name, solver, error, said):
    """Off beyond what the solver promises, and nothing was reported about it."""
    allowed = LOOSE.get(name, 1e-3 if solver in ("rk4", "located") else 1e-4)
    spoken = any(f"{kind}[" in said for kind in ("warning", "error")) or "half a tick" in said
    return error > allowed and not spoken and not math.isinf(error)


def results(models, solvers, references):
    jobs = [(name, solver) for name in models for solver in solvers if solver not in UNFIT.get(name, ())]
    with ThreadPoolExecutor(2) as pool:
        done = pool.map(lambda job: run(*job), jobs)
        return {job: (error_of(job[0], rows, references.get(job[0])), said, code) for job, (rows, said, code) in zip(jobs, done)}


def check(models):
    references = json.loads(stored.read_text())
    failed = False
    short = [name for name in models if times_of(name)[-1] < 7]
    found = results(models, ("rk4",), references["models"]) | results(short, ("dopri5",), references["models"])
    for (name, solver), (error, said, _) in found.items():
        stated = references["errors"].get(f"{name} {solver}")
        stated = math.inf if stated is None else stated
        good = error <= 1.5 * stated + 1e-10 and not (math.isinf(error) and not said)
        failed = failed or not good
        if not good:
            print(f"{name}, {solver}: {error:.2e}, stated {stated:.2e}\n{said}")
    return 1 if failed else 0


def independent(models):
    """References by SciPy; where it is not installed, those of the last time, as long as they are for the same times."""
    wanted = {name: times_of(name) for name in models if name != "noise_filter"}
    try:
        from defaults_references import reference
    except ModuleNotFoundError:
        kept = json.loads(stored.read_text())["models"]
        missing = [name for name, times in wanted.items() if kept.get(name, {}).get("times") != times]
        if missing:
            sys.exit(f"python3-scipy is needed for the references of {', '.join(missing)}")
        return {name: kept[name] for name in wanted}
    return {name: {"times": times, "values": [float(each) for each in reference(name, times)]} for name, times in wanted.items()}


def merged(models, rows, quiet):
    """With the lines of the page about the other models, in the order of MODELS."""
    page = here / "defaults.md"
    written = page.read_text().split("\n## All models\n")[-1] if page.exists() else ""
    for line in written.splitlines():
        cells = [each.strip() for each in line.strip("|").split("|")]
        name = cells[0].split("]")[0].strip("[")
        if name in MODELS and name not in models:
            rows.append(cells) if cells[0].startswith("[") else quiet.append(line)
    place = lambda text: list(MODELS).index(text.strip("| ").split("]")[0].strip("[").split(" |")[0])
    return sorted(rows, key=lambda row: place(row[0])), sorted(quiet, key=place)


def write(models):
    references = independent(models)
    found = results(models, SOLVERS, references)
    errors = {f"{name} {solver}": None if math.isinf(error) else float(f"{error:.3g}") for (name, solver), (error, _, _) in found.items()}
    before = json.loads(stored.read_text()) if stored.exists() else {"models": {}, "errors": {}}
    kept = {key: {name: each for name, each in before[key].items() if name.split()[0] in MODELS and name.split()[0] not in models}
            for key in before}
    inorder = lambda made: {name: made[name] for name in sorted(made, key=lambda each: list(MODELS).index(each.split()[0]))}
    stored.write_text(json.dumps({"models": inorder(kept["models"] | references), "errors": inorder(kept["errors"] | errors)}, indent=0) + "\n")
    rows, quiet = [], []
    for name in models:
        source, needed = MODELS[name][1:]
        cells = [show(found[name, each][0]) if (name, each) in found else "-" for each in SOLVERS]
        said = codes(found[name, "rk4"][1])
        others = sorted({codes(found[name, each][1]) for each in SOLVERS[2:] if (name, each) in found} - {"-", said})
        where = source if source == BOOK else f"[{source.split('/')[2].split('.')[-2] if 'github' not in source else source.split('/')[4]}]({source})"
        rows.append([f"[{name}](defaults/{name}.xml)", where, *cells, said, "; ".join(others) or "-", needed or "-"])
        quiet += [f"| {name} | {each} | {show(found[name, each][0])} |" for each in SOLVERS
                  if (name, each) in found and silent(name, each, found[name, each][0], found[name, each][1])]
    rows, quiet = merged(models, rows, quiet)
    head = ["model", "source", "defaults (rk4)", "events located", *SOLVERS[2:], "reported with defaults", "reported by other solvers", "what was needed"]
    page = here / "defaults.md"
    mark = "<!-- written by defaults.py from here on -->\n"
    above = page.read_text().split(mark)[0] if page.exists() else "# Defaults\n\n"
    page.write_text(above + mark + f"\n## All models\n\n{table(head, rows)}\n\n## Off without a word\n\n" +
                    ("| model | solver | error |\n|---|---|---|\n" + "\n".join(quiet) if quiet else "None.") + "\n")
    for (name, solver), (error, said, code) in found.items():
        print(f"{name:20s} {solver:11s} {show(error):6s} {code} {codes(said)}")


def main(words):
    checking = "--check" in words
    only = words[words.index("--only") + 1] if "--only" in words else None
    rest = [each for each in words if each not in ("--check", "--only", only)]
    runs.choose(rest)
    models = [only] if only else list(MODELS)
    return check(models) if checking else write(models)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

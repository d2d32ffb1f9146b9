# SPDX-License-Identifier: BSD-3-Clause
"""The faults that a run on hardware has to survive, and the diagrams that it runs, as data."""
import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fault:
    """A fault of wire, robot, sensor, process or machine.

    `begin` is an action of the witness' script, from `after` s after the motion began (None: at a time that each
    repetition draws) and for `lasts` s (None: for good). `boot`: from the start of the program instead."""
    name: str
    begin: str = ""
    lasts: float | None = None
    after: float | None = None
    boot: bool = False
    robot: dict = field(default_factory=dict)  # settings of the script
    settings: dict = field(default_factory=dict)  # parameters of the diagram
    rig_cycle: int = 4  # ms, that the rig believes in
    shell: str = ""  # what the program is started by
    must: str = ""  # "ends": not with 0; "refused": and nothing moves; "stops": 130; "killed"; "continues": 0
    only: str = ""  # the diagram for which it means something
    runs: float = 0.0  # s that the run lasts; 0: as long as the diagram's others
    says: str = ""  # in the words of a run that ended for it
    more: tuple = ()  # further actions: what, s after the first, for how long (None: for good)


def span(seconds):
    return f"{seconds * 1e3:g} ms" if seconds < 1 else f"{seconds:g} s"


def lost(direction, words):
    ways = [(0.004, ""), (0.05, ""), (0.3, ""), (None, "ends")]
    faults = [Fault(f"{words} lost for {span(t)}" if t else f"{words} lost for good", f"{direction} drop=1", t,
                    must=must) for t, must in ways]
    return faults + [Fault(f"{words}: {share} % lost", f"{direction} drop={share / 100}", must=must)
                     for share, must in ((5, ""), (30, "ends"))]


def held(direction, words):
    return [Fault(f"{words} held for {span(t)}, then in a burst", f"{direction} hold", t) for t in (0.02, 0.1, 0.3)]


FAULTS = [
    Fault("none"),
    Fault("none, for 60 s", only="pida", runs=60.0, must="continues"),
    Fault("none, for 60 s, the robot's default time-out of 10", robot={"timeout": 10}, only="pida", runs=60.0,
          must="continues"),
    Fault("SIGINT", "signal INT", must="stops"),
    Fault("SIGTERM", "signal TERM", must="stops"),
    Fault("SIGKILL", "signal KILL", must="killed"),
    *[Fault(f"hilda frozen for {span(t)}", "stop_program", t, says="for this process" if t > 0.1 else "")
      for t in (0.01, 0.05, 0.09, 0.3, 2.0)],
    Fault("hilda frozen for 10 ms, five times", "stop_program", 0.01,
          more=tuple(("stop_program", 0.1 * i, 0.01) for i in (1, 2, 3, 4))),
    *[Fault(f"robot frozen for {span(t)}", "freeze", t) for t in (0.01, 0.05, 0.09, 0.3, 2.0)],
    *lost("to_program", "telegrams"),
    *lost("to_robot", "answers"),
    *held("to_program", "telegrams"),
    *held("to_robot", "answers"),
    *[Fault(f"{t} ms of jitter, both ways", f"both jitter={t}", boot=True, after=0) for t in (1, 2, 4, 6)],
    Fault("a telegram twice", "to_program duplicate=1", 0.004),
    Fault("telegrams twice, 30 %", "to_program duplicate=0.3"),
    Fault("answers twice, 30 %", "to_robot duplicate=0.3"),
    Fault("telegrams out of order, 10 %", "to_program reorder=0.1"),
    Fault("answers out of order, 10 %", "to_robot reorder=0.1"),
    Fault("telegrams corrupt, 10 %", "to_program corrupt=0.1"),
    Fault("answers 5 ms late for 50 ms", "to_robot delay=5", 0.05),
    Fault("answers 5 ms late for good", "to_robot delay=5", must="ends"),
    Fault("answers 5 ms late from the start", "to_robot delay=5", boot=True, after=0, must="ends"),
    Fault("telegrams 5 ms late for good", "to_program delay=5", must="ends"),
    Fault("IPOC wraps at 2^31", robot={"ipoc_start": 2**31 - 4 * 250, "ipoc_modulus": 2**31}),
    Fault("IPOC wraps at 2^32", robot={"ipoc_start": 2**32 - 4 * 250, "ipoc_modulus": 2**32}),
    Fault("IPOC stays the same for a cycle", "ipoc_by -4"),
    Fault("IPOC stays the same for a cycle, Delay counts in a row", "ipoc_by -4", robot={"late": "row"}),
    Fault("IPOC stays the same for a cycle, five times", "ipoc_by -4",
          more=tuple(("ipoc_by -4", 0.1 * i, None) for i in (1, 2, 3, 4))),
    Fault("IPOC stays the same for a cycle and the answers around are lost", "ipoc_by -4",
          more=(("to_robot drop=1", -0.006, 0.012),)),
    Fault("IPOC restarts", "ipoc 1000", must="ends"),
    Fault("IPOC leaps by 4000", "ipoc 4123456", must="ends"),
    Fault("IPOC leaps by 4000 and the answer before is lost", "ipoc 4123456", more=(("to_robot drop=1", -0.002, 0.004),),
          must="ends"),
    Fault("IPOC leaps by 40 and the answers around are lost", "ipoc_by 40", more=(("to_robot drop=1", -0.006, 0.012),),
          must="ends"),
    Fault("IPOC leaps by 40 while telegrams come twice", "to_program duplicate=1", 0.2, more=(("ipoc_by 40", 0.1, None),),
          must="ends"),
    Fault("IPOC leaps by 40 while telegrams overtake each other", "to_program reorder=0.5", 0.2,
          more=(("ipoc_by 40", 0.1, None),),
          must="ends"),
    Fault("RSI restarts at once", "restart_rsi 4", must="ends"),
    Fault("RSI restarts after 100 ms", "restart_rsi 100", must="ends"),
    Fault("RSI restarts after 1 s", "restart_rsi 1000", must="ends"),
    Fault("RSI restarts after 40 ms, IPOC continues with the clock", "restart_rsi_on_time 40", must="ends"),
    Fault("RSI restarts after 100 ms, IPOC continues with the clock", "restart_rsi_on_time 100", must="ends"),
    # Well before IPOC is 1000 again: a restart that continues where the count was cannot be seen (kuka_rsi.md).
    Fault("RSI restarts after a turn of IPOC", "restart_rsi 4",
          robot={"ipoc_start": 2**31 - 4 * 450, "ipoc_modulus": 2**31}, must="ends"),
    Fault("RSI restarts while hilda is frozen for 50 ms", "stop_program", 0.05, more=(("restart_rsi 4", 0.02, None),),
          must="ends"),
    Fault("RSI ends", "unplug", must="ends"),
    Fault("brakes", "brake", must="ends"),
    Fault("POSCORR clamps at 5 mm", robot={"clamp": 5}, only="cart", must="ends"),
    Fault("POSCORR's MaxRotAngle is 1 deg", robot={"clamp_turn": 1}, only="cart", must="ends"),
    Fault("POSCORRMON ends RSI at 6 mm", robot={"monitor": 6}, only="cart", must="ends"),
    Fault("time-out of 10 late answers, 5 % lost", "to_robot drop=0.05", robot={"timeout": 10}),
    Fault("Delay counts in a row, 5 % lost", "to_robot drop=0.05", robot={"late": "row"}),
    Fault("cycle of 12 ms against 4 ms", robot={"cycle": 12}, must="refused"),
    Fault("cycle of 4 ms against 12 ms", rig_cycle=12, must="refused"),
    Fault("cycle of 12 ms with IPOC by 4", robot={"cycle": 12, "ipoc_step": 4}, must="refused"),
    Fault("poses with one decimal", robot={"decimals": 1}),
    Fault("poses with one decimal, finer ones asked for", robot={"decimals": 1},
          settings={"rig.coarsest_pose": "0.001mm"}, must="refused"),
    Fault("poses that shake by 20 um, half of it allowed", robot={"pose_noise": 0.02},
          settings={"rig.noisiest_pose": "0.01mm"}, must="refused"),
    Fault("telegrams: 10 % lost from the start, 249/s asked for", "to_program drop=0.1", boot=True, after=0,
          settings={"rig.slowest_pose": "249"}, must="refused"),
    Fault("forces in steps of 0.1 N, finer ones asked for", robot={"counts": 10},
          settings={"rig.coarsest_force": "0.01N"}, must="refused"),
    Fault("forces that shake by 1 N, half of it allowed", robot={"force_noise": 1},
          settings={"rig.noisiest_force": "0.5N"}, must="refused"),
    Fault("torques that shake, little of it allowed", robot={"force_noise": 1},
          settings={"rig.noisiest_torque": "1e-6"}, must="refused"),
    Fault("a record each 20 ms, 1 ms allowed", robot={"record_period": 20},
          settings={"rig.oldest_wrench": "1ms"}, must="refused"),
    Fault("a record each 20 ms, 200/s asked for", robot={"record_period": 20},
          settings={"rig.slowest_wrench": "200"}, must="refused"),
    Fault("sensor lost", "sensor off", must="ends"),
    Fault("sensor lost for 50 ms", "sensor off", 0.05),
    Fault("sensor's stream stolen", "sensor steal", must="ends"),
    Fault("sensor stuck", "sensor stuck"),
    Fault("sensor stuck, watched", "sensor stuck", robot={"force_noise": 0.02}, settings={"rig.stuck_after": "100ms"},
          must="ends", says="it is stuck"),
    Fault("sensor with noise, watched", robot={"force_noise": 0.02}, settings={"rig.stuck_after": "100ms"}, must="continues"),
    Fault("sensor saturated", "sensor saturated", must="ends"),
    Fault("sensor reports an error", "sensor status 0x80020000", must="ends"),
    Fault("sensor biased by 30 N", "sensor bias 30"),
    Fault("force limit of 20 N", "sensor bias 25", settings={"rig.force_limit": "20N"}, must="ends"),
    Fault("force limit of 20 N while hilda is frozen for 10 ms", "stop_program", 0.01, more=(("sensor bias 25", 0.004, None),),
          settings={"rig.force_limit": "20N"}, must="ends"),
    Fault("second robot on the port for 0.2 s", "foreigner", 0.2),
    Fault("second program on the port", "second_program"),
    Fault("clock set forward by an hour", shell="clock_jump 3600", must="continues"),
    Fault("clock set back by an hour", shell="clock_jump -3600", must="continues"),
    Fault("disk full", shell="disk_full", must=""),
]


@dataclass(frozen=True)
class Run:
    """A diagram in the witness' cell."""
    diagram: str  # in diagrams; cart: the one next to this file
    robot: dict = field(default_factory=dict)
    settings: dict = field(default_factory=dict)
    lasts: float = 1.8  # s
    own_end: str = ""  # in the words in which it ends by itself, without any fault


TWO_WALLS = {"speed": "50mm/s", "response_delay": "12ms", "contacts": "0"}
ROOM = {"velocity": "0.1 0 0 m/s", "angular_velocity": "0 0 0 rad/s", "response_delay": "12ms",
        "force_noise": "0.02N", "half_size": "20 mm"}
HARD = {"half_gap": 4}
SOFT = {"half_gap": 20, "stiffness": 2000}

RUNS = {
    "cart": Run("cart"),
    "pida": Run("pida", HARD, TWO_WALLS),
    "pic": Run("pic", HARD, TWO_WALLS),
    "dac": Run("dac", HARD, TWO_WALLS),
    "acc": Run("acc", HARD, TWO_WALLS),
    "uncompensated": Run("uncompensated", HARD, TWO_WALLS, own_end="the safety stage refuses"),  # it gains energy
    "pida_oblique": Run("pida_oblique", HARD, {"response_delay": "12ms", "contacts": "0"}),
    "tdpa": Run("tdpa", SOFT, ROOM),
    "tdpa_docking": Run("tdpa_docking", SOFT, {"response_delay": "12ms"}),
    "tdpa_full": Run("tdpa_full", SOFT, ROOM),
    "tdpa_uncompensated": Run("tdpa_uncompensated", SOFT, ROOM),
    "passive_integrator": Run("passive_integrator", SOFT, ROOM),
    "pic_ledger": Run("pic_ledger", HARD, TWO_WALLS),
    "dac_ledger": Run("dac_ledger", HARD, TWO_WALLS),
    "pida_ledger": Run("pida_ledger", HARD, TWO_WALLS),
    "tdpa_ledger": Run("tdpa_ledger", SOFT, ROOM),
}


def way(draw, corrupt):
    """What may happen to one direction of the wire. An answer that is falsified and still reads as one no program can
    take back."""
    kinds = {"drop": (0.002, 0.25), "duplicate": (0.01, 0.5), "reorder": (0.005, 0.2), "corrupt": (0.005, 0.2),
             "jitter": (0.2, 5), "delay": (0.2, 5)}
    if not corrupt:
        del kinds["corrupt"]
    names = draw.sample(list(kinds), draw.randint(1, 3))
    return " ".join(["hold"] * (draw.random() < 0.1) + [f"{name}={draw.uniform(*kinds[name]):.4f}" for name in names])


def random_fault(number):
    """Two to five faults at once, from its number alone: what no one thought of."""
    draw = random.Random(f"faults {number}")

    kinds = [
        lambda: ("to_program " + way(draw, True), draw.choice([0.004, 0.02, 0.06, 0.3, None])),
        lambda: ("to_robot " + way(draw, False), draw.choice([0.004, 0.02, 0.06, 0.3, None])),
        lambda: ("stop_program", draw.uniform(0.002, 0.03)),
        lambda: ("freeze", draw.uniform(0.002, 0.03)),
        lambda: (f"ipoc_by {draw.choice([4, 8, 12, 40, 400, 4000, 10 ** 6])}", None),
        lambda: (f"sensor {draw.choice(['off', 'stuck', 'bias 40', 'noise 3'])}", draw.uniform(0.01, 0.04)),
        lambda: ("foreigner", 0.1),
        lambda: (f"restart_rsi {draw.choice([4, 20])}", None)]
    chosen = draw.choices(kinds, [4, 4, 2, 2, 3, 2, 1, 0.3], k=draw.randint(2, 5))
    actions = [(*each(), draw.uniform(-0.05, 0.4)) for each in chosen]
    robot = {}
    if draw.random() < 0.2:
        robot = {"ipoc_modulus": 2 ** 31, "ipoc_start": 2 ** 31 - 4 * draw.randint(150, 400)}
    if draw.random() < 0.3:
        robot["late"] = "row"
    if draw.random() < 0.3:
        robot["decimals"] = draw.choice([2, 3, 4])
    if draw.random() < 0.3:
        robot["timeout"] = draw.choice([10, 20, 100])
    (begin, lasts, _), *more = actions
    return Fault(f"random {number}", begin, lasts, robot=robot, more=tuple((what, at, time) for what, time, at in more))


def rows(runs, corrections, faults=FAULTS):
    """(fault, diagram, correction), each a row of the table."""
    return [(fault, run, correction) for run in runs for correction in corrections for fault in faults
            if fault.only in ("", run)]

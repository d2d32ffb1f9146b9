"""The faults that a run on hardware has to survive, and the diagrams that it runs, as data."""
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
    must: str = ""  # "ends": not with 0; "refused": and nothing moves; "stops": 130; "killed"; "goes on": 0
    only: str = ""  # the diagram for which it means something
    runs: float = 0.0  # s that the run lasts; 0: as long as the diagram's others


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
    Fault("none, for 60 s", only="pida", runs=60.0),
    Fault("SIGINT", "signal INT", must="stops"),
    Fault("SIGTERM", "signal TERM", must="stops"),
    Fault("SIGKILL", "signal KILL", must="killed"),
    *[Fault(f"hilda frozen for {span(t)}", "stop_program", t) for t in (0.01, 0.05, 0.09, 0.3, 2.0)],
    *[Fault(f"robot frozen for {span(t)}", "freeze", t) for t in (0.01, 0.05, 0.09, 0.3, 2.0)],
    *lost("to_program", "telegrams"),
    *lost("to_robot", "answers"),
    *held("to_program", "telegrams"),
    *held("to_robot", "answers"),
    *[Fault(f"{t} ms of jitter, both ways", f"both jitter={t}", boot=True, after=0) for t in (1, 2, 4, 6)],
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
    Fault("IPOC begins anew", "ipoc 1000"),
    Fault("IPOC leaps by 4000", "ipoc 4123456"),
    Fault("RSI restarts at once", "restart_rsi 4", must="ends"),
    Fault("RSI restarts after 100 ms", "restart_rsi 100", must="ends"),
    Fault("RSI restarts after 1 s", "restart_rsi 1000", must="ends"),
    Fault("RSI ends", "unplug", must="ends"),
    Fault("brakes", "brake", must="ends"),
    Fault("POSCORR clamps at 5 mm", robot={"clamp": 5}, only="cart", must="ends"),
    Fault("POSCORRMON ends RSI at 6 mm", robot={"monitor": 6}, only="cart", must="ends"),
    Fault("time-out of 10 late answers, 5 % lost", "to_robot drop=0.05", robot={"timeout": 10}),
    Fault("Delay counts in a row, 5 % lost", "to_robot drop=0.05", robot={"late": "row"}),
    Fault("cycle of 12 ms against 4 ms", robot={"cycle": 12}, must="refused"),
    Fault("cycle of 4 ms against 12 ms", rig_cycle=12, must="refused"),
    Fault("cycle of 12 ms with IPOC by 4", robot={"cycle": 12, "ipoc_step": 4}, must="refused"),
    Fault("poses with one decimal", robot={"decimals": 1}),
    Fault("poses with one decimal, finer ones asked for", robot={"decimals": 1},
          settings={"rig.coarsest_pose": "0.001mm"}, must="refused"),
    Fault("sensor lost", "sensor off", must="ends"),
    Fault("sensor lost for 50 ms", "sensor off", 0.05),
    Fault("sensor's stream stolen", "sensor steal", must="ends"),
    Fault("sensor stuck", "sensor stuck"),
    Fault("sensor saturated", "sensor saturated", must="ends"),
    Fault("sensor reports an error", "sensor status 0x80020000", must="ends"),
    Fault("sensor biased by 30 N", "sensor bias 30"),
    Fault("force limit of 20 N", "sensor bias 25", settings={"rig.force_limit": "20N"}, must="ends"),
    Fault("second robot on the port for 0.2 s", "foreigner", 0.2),
    Fault("second program on the port", "second_program"),
    Fault("clock set forward by an hour", shell="clock_jump 3600", must="goes on"),
    Fault("clock set back by an hour", shell="clock_jump -3600", must="goes on"),
    Fault("disk full", shell="disk_full", must=""),
]


@dataclass(frozen=True)
class Run:
    """A diagram in the witness' cell."""
    diagram: str  # in diagrams; cart: the one beside this file
    robot: dict = field(default_factory=dict)
    settings: dict = field(default_factory=dict)
    lasts: float = 1.8  # s


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
    "uncompensated": Run("uncompensated", HARD, TWO_WALLS),
    "pida_oblique": Run("pida_oblique", HARD, {"response_delay": "12ms", "contacts": "0"}),
    "tdpa": Run("tdpa", SOFT, ROOM),
    "tdpa_docking": Run("tdpa_docking", SOFT, {"response_delay": "12ms"}),
    "tdpa_full": Run("tdpa_full", SOFT, ROOM),
    "tdpa_uncompensated": Run("tdpa_uncompensated", SOFT, ROOM),
    "passive_integrator": Run("passive_integrator", SOFT, ROOM),
}


def rows(runs, corrections, faults=FAULTS):
    """(fault, diagram, correction), each a row of the table."""
    return [(fault, run, correction) for run in runs for correction in corrections for fault in faults
            if fault.only in ("", run)]

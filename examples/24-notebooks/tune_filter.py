# %% [markdown]
# # Tune the filter of PIDA
# The force sensor is late by 4 ms. PIDA has a phase lead that undoes a delay: its `lead_time`. Which value keeps the speed after the first
# contact closest to the ideal one, so that the coefficient of velocity (CoV) is 1?

# %%
import hilda

simulation = hilda.Simulation(hilda.library_file("pida.xml"), settings={"sensor_delay": "4 ms", "contacts": 1, "lead_time": "4 ms"})


def cov(lead_time):
    """Of the first contact; `lead_time` in s."""
    simulation.set("lead_time", f"{lead_time} s")
    simulation.run(record=[])
    return simulation.summary["contacts"][0]["cov"]


for milliseconds in (0, 2, 4, 8):
    print(f"{milliseconds} ms: CoV {cov(milliseconds * 1e-3):.4f}")

# %% [markdown]
# `hilda.sensitivity` returns the derivative with a bound of its error. It says in which direction to go.

# %%
simulation.set("lead_time", "4 ms")
slope = hilda.sensitivity(simulation, "contacts.0.cov", ["lead_time"])["lead_time"]
print(f"dCoV/dlead_time = {slope.value:.2f} 1/s, right to {slope.error:.2g} 1/s")

# %% [markdown]
# scipy.optimize finds the minimum. Without SciPy a golden section does the same here.


# %%
def cost(lead_time):
    return (cov(lead_time) - 1) ** 2


def golden_section(function, low, high, tolerance=1e-5):
    ratio = (5**0.5 - 1) / 2
    while high - low > tolerance:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if function(left) < function(right):
            high = right
        else:
            low = left
    return (low + high) / 2


try:
    from scipy.optimize import minimize_scalar
except ImportError:
    best = golden_section(cost, 0.0, 0.02)
else:
    best = minimize_scalar(cost, bounds=(0.0, 0.02), method="bounded", options={"xatol": 1e-5}).x
print(f"best lead time {best * 1e3:.1f} ms: CoV {cov(best):.4f}, with 0 ms {cov(0):.4f}")
assert cost(best) <= min(cost(0.0), cost(0.004), cost(0.02))

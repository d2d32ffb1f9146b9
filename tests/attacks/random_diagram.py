# SPDX-License-Identifier: BSD-3-Clause
"""Random diagrams, of blocks that any number may pass, and commands for them."""

# type, input, output, attributes: one number in, one number out
MIDDLES = [("math/Gain", "u", "y", 'gain="{f}"'), ("math/Bias", "u", "y", 'bias="{f}"'),
           ("math/Saturation", "u", "y", 'lower="-{p}" upper="{p}"'), ("discrete/UnitDelay", "u", "y", ""),
           ("discrete/Delay", "u", "y", 'delay="{n} ms"'),
           ("continuous/TransferFunction", "u", "y", 'numerator="1" denominator="{p} 1"')]
SOURCES = ['sources/Sine" amplitude="{f}" frequency="{p} Hz', 'sources/Constant" value="{f}',
           'sources/Ramp" slope="{f} 1/s', 'sources/Noise" deviation="{p}']
ODD = ["1e308", "-0", "0", "1e-320", "nan", "", "1;2 3", "5 furlong", "${1/0}", "${x}", "&#x1b;", "1 2 3", "100000000000"]


def number_text(chance, kind, sound):
    if not sound and chance.random() < 0.003:
        return chance.choice(ODD)
    value = chance.choice([chance.uniform(0.01, 10), 10 ** chance.uniform(-6, 6)])
    if kind == "n":
        return str(chance.randrange(0, 50) * (10 if sound else 1))  # of all periods a multiple
    return f"{value if kind == 'p' else value * chance.choice([-1, 1]):.6g}"


def filled(chance, text, sound):
    for kind in "fpn":
        while "{" + kind + "}" in text:
            text = text.replace("{" + kind + "}", number_text(chance, kind, sound), 1)
    return text


def diagram(chance, behaviour=None, port=None):
    """A chain or a net, without loops. `behaviour` (way, phase): with a block that misbehaves and no other mistake;
    `port`: with one that takes packets there."""
    sound = behaviour is not None
    lines = [f'<diagram format="1" name="chaos" period="{chance.choice(["1 ms", "2 ms", "250 us", "10 ms"])}">',
             f'  <parameter name="duration" value="{chance.choice(["0.05 s", "0.5 s", "5 s"])}"/>']
    outputs = []
    for i in range(chance.randrange(1, 4)):
        lines.append(f'  <block name="s{i}" type="{filled(chance, chance.choice(SOURCES), sound)}"/>')
        outputs.append(f"s{i}.y")
    for i in range(chance.randrange(0, 40)):
        kind, put, out, attributes = chance.choice(MIDDLES)
        lines.append(f'  <block name="b{i}" type="{kind}" {filled(chance, attributes, sound)}/>')
        source = f"b{chance.randrange(0, 40)}.y" if not sound and chance.random() < 0.003 else chance.choice(outputs)
        lines.append(f'  <connect from="{source}" to="b{i}.{put}"/>')
        outputs.append(f"b{i}.{out}")
    if behaviour:
        lines.append(f'  <block name="bad" type="ways/Misbehaves" way="{behaviour[0]}" in="{behaviour[1]}"/>')
    if port:
        lines.append(f'  <block name="net" type="udp/UdpSource" size="1" port="{port}" timeout="0 s"/>')
    lines.append("</diagram>\n")
    return "\n".join(lines)


# command, its outputs. D is the diagram; old.mcap is a sound log of old.xml.
RUNS = [(["run", "D", "--log", "l.mcap", "--summary", "s.json"], ["l.mcap", "s.json"]),
        (["run", "D", "--log", "l.mcap", "--summary", "s.json", "--for", "20s"], ["l.mcap", "s.json"]),
        (["run", "D", "--log", "l.mcap", "--summary", "s.json", "--realtime", "--for", "1000s"], ["l.mcap", "s.json"]),
        (["run", "D", "--no-log", "--summary", "s.json", "--for", "1e6s"], ["s.json"]),
        (["run", "D", "--no-log", "--summary", "s.json"], ["s.json"]),
        (["run", "D", "--log", "l.mcap", "--summary", "s.json", "--realtime", "--for", "0.5s"], ["l.mcap", "s.json"])]
LOOKS = [(["check", "D"], []), (["plan", "D"], []), (["check", "--audit", "--for", "0.2s", "D"], []),
         (["draw", "D", "-o", "d.svg"], ["d.svg"])]
OF_LOGS = [(["export", "old.mcap", "--csv", "-o", "o.csv"], ["o.csv"]),
           (["export", "old.mcap", "--mat", "-o", "o.mat"], ["o.mat"]),
           (["report", "old.mcap", "-o", "o.html"], ["o.html"]),
           (["plot", "old.mcap", "--signals", "*", "-o", "d.svg"], ["d.svg"]),
           (["recover", "old.mcap", "-o", "l.mcap"], ["l.mcap"]), (["info", "old.mcap"], []),
           (["run", "--mode", "replay", "old.mcap", "--log", "l.mcap"], ["l.mcap"]),
           (["compare", "old.mcap", "old.mcap"], []),
           (["linearize", "old.xml", "--from", "s.y", "--to", "g.y", "--out", "o"],
            [f"o_{part}.csv" for part in ("A", "B", "C", "D", "poles", "response")]),
           (["describe", "--html", "-o", "o.html"], ["o.html"]), (["schema", "-o", "o.rng"], ["o.rng"])]
ARMED = (["run", "moves.xml", "--arm", "--for", "1s", "--log", "l.mcap", "--summary", "s.json"], ["l.mcap", "s.json"])

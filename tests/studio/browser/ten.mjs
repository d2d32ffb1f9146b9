// SPDX-License-Identifier: BSD-3-Clause
// Ten diagrams of textbooks, as a person draws them by mouse: blocks at places of the drawing (px), values, wires.
import { Hand, settled } from "./hand.mjs";

/** Blocks by the height of their first port's line, so that wires run straight: how far it lies below the upper border. */
const on = (line, below) => line - below;
const step = (x, line, after = "1 m") => ["sources/Step", "wanted", x, on(line, 66), { time: "0.1 s", after }];
const sum = (name, x, line, signs = "+-") => ["math/Sum", name, x, on(line, 18), signs === "++" ? {} : { signs }];
const gain = (name, x, line, value) => ["math/Gain", name, x, on(line, 24), { gain: value }];
const integrator = (name, x, line) => ["continuous/Integrator", name, x, on(line, 42), {}];
const second = (x, line) => ["continuous/TransferFunction", "plant", x, on(line, 66), { numerator: "1", denominator: "1 2 10", gain: "1 m/N" }];
const lag = (name, x, line) => ["continuous/TransferFunction", name, x, on(line, 66), { numerator: "1", denominator: "1 1" }];
const dead = (name, x, line) => ["continuous/TransportDelay", name, x, on(line, 54), { delay: "0.5 s" }];

export const ten = [
  { name: "cart_pid", blocks: [step(0, 78), ["discrete/Pid", "pid", 150, 12, { kp: "60 N/m", kd: "20 N s/m", ki: "5 N/(m s)" }], ["math/Saturation", "motor", 330, 12, { lower: "-40 N", upper: "40 N" }],
      sum("force", 490, 78, "++"), ["sources/Pulse", "gust", 330, 150, { high: "2 N", width: "100 ms" }], gain("inverse_mass", 600, 78, "0.5 1/kg"), integrator("speed", 740, 78), integrator("place", 910, 78)],
    wires: [["wanted.y", "pid.setpoint"], ["pid.command", "motor.u"], ["motor.y", "force.u[0]"], ["gust.y", "force.u[1]"], ["force.y", "inverse_mass.u"], ["inverse_mass.y", "speed.u"], ["speed.y", "place.u"], ["place.y", "pid.measured"]] },
  { name: "cascade", blocks: [step(0, 78), sum("position_error", 130, 78), gain("position_loop", 260, 78, "5 1/s"), sum("speed_error", 380, 78), gain("speed_loop", 490, 78, "40 N s/m"), gain("inverse_mass", 630, 78, "0.5 1/kg"), integrator("speed", 770, 78), integrator("place", 940, 78)],
    wires: [["wanted.y", "position_error.u[0]"], ["position_error.y", "position_loop.u"], ["position_loop.y", "speed_error.u[0]"], ["speed_error.y", "speed_loop.u"], ["speed_loop.y", "inverse_mass.u"], ["inverse_mass.y", "speed.u"], ["speed.y", "place.u"], ["speed.y", "speed_error.u[1]"], ["place.y", "position_error.u[1]"]], pulls: [["place", "position_error", 150]] },
  { name: "smith_predictor", blocks: [step(0, 78, "1 V"), sum("error", 130, 78), ["continuous/Pid", "controller", 230, 12, { kp: "2", ki: "1.5 1/s" }], lag("plant", 430, 78), dead("dead_time", 620, 78),
      lag("model", 430, 246), dead("model_dead_time", 620, 246), sum("mismatch", 860, 180), sum("predicted", 980, 180, "++")],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "controller.setpoint"], ["controller.command", "plant.u"], ["controller.command", "model.u"], ["plant.y", "dead_time.u"], ["model.y", "model_dead_time.u"], ["dead_time.y", "mismatch.u[0]"], ["model_dead_time.y", "mismatch.u[1]"], ["mismatch.y", "predicted.u[0]"], ["model.y", "predicted.u[1]"], ["predicted.y", "error.u[1]"]], pulls: [["predicted", "error", 216]] },
  { name: "observer", blocks: [step(0, 78, "1 N"), gain("inverse_mass", 140, 78, "0.5 1/kg"), integrator("speed", 420, 78), integrator("place", 740, 78),
      gain("model", 140, 204, "0.5 1/kg"), sum("acceleration", 270, 204, "++"), integrator("speed_estimate", 390, 204), sum("rate", 600, 204, "++"), integrator("place_estimate", 690, 204), sum("innovation", 920, 78), gain("l1", 760, 318, "20 1/s"), gain("l2", 480, 384, "100 1/s2")],
    wires: [["wanted.y", "inverse_mass.u"], ["wanted.y", "model.u"], ["inverse_mass.y", "speed.u"], ["speed.y", "place.u"], ["model.y", "acceleration.u[0]"], ["acceleration.y", "speed_estimate.u"], ["speed_estimate.y", "rate.u[0]"], ["rate.y", "place_estimate.u"], ["place.y", "innovation.u[0]"], ["place_estimate.y", "innovation.u[1]"],
      ["innovation.y", "l1.u"], ["innovation.y", "l2.u"], ["l1.y", "rate.u[1]"], ["l2.y", "acceleration.u[1]"]] },
  { name: "two_mass", blocks: [step(0, 78, "1 N"), sum("on_motor", 140, 78), gain("motor", 240, 78, "2 1/kg"), integrator("motor_speed", 360, 78), integrator("motor_place", 540, 78), sum("twist", 730, 78), gain("spring", 500, 198, "100 N/m"), gain("load", 240, 318, "0.5 1/kg"), integrator("load_speed", 360, 318), integrator("load_place", 540, 318)],
    wires: [["wanted.y", "on_motor.u[0]"], ["on_motor.y", "motor.u"], ["motor.y", "motor_speed.u"], ["motor_speed.y", "motor_place.u"], ["motor_place.y", "twist.u[0]"], ["load_place.y", "twist.u[1]"], ["twist.y", "spring.u"], ["spring.y", "on_motor.u[1]"], ["spring.y", "load.u"], ["load.y", "load_speed.u"], ["load_speed.y", "load_place.u"]] },
  { name: "notch", blocks: [step(0, 78), sum("error", 130, 78), gain("controller", 230, 78, "30 N/m"), ["discrete/Notch", "notch", 380, 12, { frequency: "8 Hz", damping: "0.3" }], ["discrete/LowPass", "drive", 550, 24, { cutoff: "40 Hz" }], second(710, 78)],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "controller.u"], ["controller.y", "notch.u"], ["notch.y", "drive.u"], ["drive.y", "plant.u"], ["plant.y", "error.u[1]"]] },
  { name: "anti_windup", blocks: [step(0, 78), sum("error", 130, 78), gain("kp", 260, 78, "20 N/m"), gain("ki", 230, 222, "40 N/(m s)"), sum("rate", 380, 222, "++"), integrator("integral", 480, 222), sum("command", 650, 78, "++"), ["math/Saturation", "limit", 780, 12, { lower: "-5 N", upper: "5 N" }], second(960, 78), sum("excess", 890, 318), gain("back", 560, 342, "10 1/s")],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "kp.u"], ["error.y", "ki.u"], ["ki.y", "rate.u[0]"], ["rate.y", "integral.u"], ["kp.y", "command.u[0]"], ["integral.y", "command.u[1]"], ["command.y", "limit.u"], ["limit.y", "plant.u"], ["command.y", "excess.u[1]"], ["limit.y", "excess.u[0]"], ["excess.y", "back.u"], ["back.y", "rate.u[1]"], ["plant.y", "error.u[1]"]], pulls: [["plant", "error", 396]] },
  { name: "feed_forward", blocks: [step(0, 186), sum("error", 140, 186), ["discrete/Pid", "pi", 240, 120, { kp: "8 N/m", ki: "30 N/(m s)" }], gain("feed_forward", 300, 66, "10 N/m"), sum("force", 480, 186, "++-"), ["sources/Pulse", "load", 330, 252, { high: "1 N", width: "1 s" }], second(600, 186)],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "pi.setpoint"], ["wanted.y", "feed_forward.u"], ["pi.command", "force.u[0]"], ["load.y", "force.u[1]"], ["feed_forward.y", "force.u[2]"], ["force.y", "plant.u"], ["plant.y", "error.u[1]"]] },
  { name: "gain_scheduling", blocks: [step(0, 78), sum("error", 140, 78), ["math/Product", "scheduled", 340, 36, {}], second(520, 78), ["discrete/LowPass", "smooth", 520, 180, { cutoff: "2 Hz" }], ["math/LookupTable", "schedule", 340, 168, { x: "0 0.5 1 2 m", values: "5 10 20 30 N/m" }]],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "scheduled.a"], ["schedule.y", "scheduled.b"], ["scheduled.y", "plant.u"], ["plant.y", "smooth.u"], ["smooth.y", "schedule.u"], ["plant.y", "error.u[1]"]] },
  { name: "pida", blocks: [step(0, 174), sum("error", 130, 174), gain("kp", 430, 42, "40 N/m"), integrator("integral", 260, 138), gain("ki", 430, 138, "20 N/(m s)"), ["discrete/Derivative", "rate", 260, 180, { time_constant: "5 ms" }], gain("kd", 430, 234, "8 N s/m"), ["discrete/Derivative", "second_rate", 260, 276, { time_constant: "5 ms" }], gain("ka", 430, 330, "0.2 N s2/m"), sum("force", 610, 174, "++++"), second(720, 192)],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "kp.u"], ["error.y", "integral.u"], ["error.y", "rate.u"], ["integral.y", "ki.u"], ["rate.y", "kd.u"], ["rate.y", "second_rate.u"], ["second_rate.y", "ka.u"], ["kp.y", "force.u[0]"], ["ki.y", "force.u[1]"], ["kd.y", "force.u[2]"], ["ka.y", "force.u[3]"], ["force.y", "plant.u"], ["plant.y", "error.u[1]"]] },
];
export const empty = (name) => `<diagram format="1" name="${name}" period="1 ms">\n</diagram>\n`;

/** From nothing, by mouse and the keys of values. */
export async function build(page, { blocks, wires, pulls = [] }) {
  const hand = new Hand(page);
  await hand.begin();
  await page.evaluate(() => document.activeElement.blur());
  for (const _ of [1, 2, 3, 4, 5]) if ((await page.evaluate(() => window.studio.diagram.view.scale)) > 1.05) await page.getByRole("button", { name: "Smaller (-)" }).click();
  const origin = await page.evaluate(() => { const { view } = window.studio.diagram; return [40 - view.x, 40 - view.y]; });
  await page.evaluate(([dx, dy]) => window.studio.diagram.view.move(dx, dy), origin);
  for (const [type, name, x, y, values] of blocks) {
    const [px, py] = await page.evaluate(([bx, by]) => { const { view } = window.studio.diagram, o = window.studio.editor.document_.view.scene?.origin ?? { x: 0, y: 0 }; return [view.x + (o.x + bx + 40) * view.scale, view.y + (o.y + by + 20) * view.scale]; }, [x, y]);
    await hand.put(type, name, px, py);
    if (Object.keys(values).length) await hand.set(name, values);
  }
  for (const [from, to] of wires) await hand.join(from, to);
  await settled(page);
  for (const each of pulls) await hand.pull(...each);
  await settled(page);
}

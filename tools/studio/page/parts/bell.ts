// SPDX-License-Identifier: BSD-3-Clause
// A sound for alarms, which this browser may have switched off.
const key = "hilda-silent", tones = [880, 660]; // Hz, one after the other
const each = 0.18; // s
let context: AudioContext | null = null;

export const silent = (): boolean => localStorage.getItem(key) === "yes";
export function silence(on: boolean): void { localStorage.setItem(key, on ? "yes" : "no"); }

/** A browser that was not touched yet stays quiet. */
export function ring(): void {
  if (silent()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const { currentTime: now, destination } = context, volume = context.createGain();
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.linearRampToValueAtTime(0, now + tones.length * each);
  volume.connect(destination);
  tones.forEach((tone, i) => {
    const voice = (context as AudioContext).createOscillator();
    voice.frequency.value = tone;
    voice.connect(volume);
    voice.start(now + i * each);
    voice.stop(now + (i + 1) * each);
  });
}

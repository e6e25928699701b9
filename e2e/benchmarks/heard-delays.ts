import { readWav } from '@parley/audio';

/** What a phone said (left) and heard (right), as `GET /legs/:leg_id/audio` answers. */
export interface CallAudio {
  readonly said: readonly Stretch[];
  readonly heard: readonly Stretch[];
}

/** Voice without a longer pause, in milliseconds from the answer. */
export interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

const FRAME_MS = 20;
const RATE = 8000;
const FRAME = (RATE * FRAME_MS) / 1000;
/** Quieter is silence: synthesised speech on an otherwise silent line. */
const LOUD = 0.005;
/** Between words. */
const PAUSE_MS = 250;

export function readCallAudio(wav: Buffer): CallAudio {
  const [said, heard] = readWav(wav)?.channels ?? [];
  if (!said || !heard) throw new Error('not the audio of a call');
  return { said: stretches(said), heard: stretches(heard) };
}

/** From the last frame that was said in a stretch to the first one that was heard after it. */
export function delaysAfter({ said, heard }: CallAudio): number[] {
  return said.flatMap(({ untilMs }, index) => {
    const next = heard.find(({ fromMs }) => fromMs >= untilMs);
    const nextSaid = said[index + 1]?.fromMs ?? Infinity;
    return next && next.fromMs < nextSaid ? [next.fromMs - untilMs] : [];
  });
}

/** How long the other side went on speaking after the caller had begun to. */
export function interruptions({ said, heard }: CallAudio): number[] {
  return said.flatMap(({ fromMs }) => {
    const interrupted = heard.find((stretch) => stretch.fromMs < fromMs && stretch.untilMs > fromMs);
    return interrupted ? [interrupted.untilMs - fromMs] : [];
  });
}

function stretches(samples: Float32Array): Stretch[] {
  const found: { fromMs: number; untilMs: number }[] = [];
  for (let at = 0; at + FRAME <= samples.length; at += FRAME) {
    if (loudness(samples.subarray(at, at + FRAME)) < LOUD) continue;
    const fromMs = (at / FRAME) * FRAME_MS;
    const last = found.at(-1);
    if (last && fromMs - last.untilMs < PAUSE_MS) last.untilMs = fromMs + FRAME_MS;
    else found.push({ fromMs, untilMs: fromMs + FRAME_MS });
  }
  return found;
}

/** Root of the mean square. */
const loudness = (frame: Float32Array): number =>
  Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length);

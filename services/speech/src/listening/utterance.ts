/** From when to when, in the audio. */
export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** Voice, until a pause or until it was cut. */
interface VoiceStretch extends Stretch {
  readonly isCut: boolean;
}

/** What was said since it was last taken. */
export interface Utterance {
  readonly takenMs: number;
  /** In order. */
  readonly stretches: readonly VoiceStretch[];
  /** Since when somebody speaks. */
  readonly speakingSinceMs: number | undefined;
}

export const nothingSaid: Utterance = { takenMs: 0, stretches: [], speakingSinceMs: undefined };

/** The recogniser looks at half a minute at a time. */
export const PART_MS_MAX = 28_000;
/** After this much the next pause ends a part: a long utterance is not recognised again with every pause. */
const PART_MS_ENOUGH = 10_000;
/** A silence in which a sentence ends. */
const SILENCE_BETWEEN_PARTS_MS = 1200;
/** What somebody said before that without its being taken is forgotten: it bounds memory. */
const UTTERANCE_MS_MAX = 120_000;
/** A voice begins softly, before it is noticed; after a pause of 192 ms there is this much silence. */
const LEAD_MS = 200;
const TAIL_MS = 160;

export function begin(utterance: Utterance, atMs: number): Utterance {
  return { ...utterance, speakingSinceMs: Math.max(atMs, utterance.takenMs) };
}

export function pause(utterance: Utterance, atMs: number): Utterance {
  return end(utterance, atMs, false);
}

/** A part ends here although nobody pauses. */
export function cut(utterance: Utterance, atMs: number): Utterance {
  return begin(end(utterance, atMs, true), atMs);
}

function end({ takenMs, stretches, speakingSinceMs }: Utterance, endMs: number, isCut: boolean): Utterance {
  const all = speakingSinceMs === undefined ? stretches : [...stretches, { startMs: speakingSinceMs, endMs, isCut }];
  return { takenMs, stretches: after(all, endMs - UTTERANCE_MS_MAX), speakingSinceMs: undefined };
}

export function take({ takenMs, stretches, speakingSinceMs }: Utterance, untilMs: number): Utterance {
  const until = Math.max(takenMs, untilMs);
  return {
    takenMs: until,
    stretches: after(stretches, until),
    speakingSinceMs: speakingSinceMs === undefined ? undefined : Math.max(speakingSinceMs, until),
  };
}

function after(stretches: readonly VoiceStretch[], ms: number): readonly VoiceStretch[] {
  return stretches
    .map((stretch) => ({ ...stretch, startMs: Math.max(stretch.startMs, ms) }))
    .filter(({ startMs, endMs }) => endMs > startMs);
}

/** Whether somebody has spoken for as long as a part may be. */
export function isTooLong({ speakingSinceMs }: Utterance, nowMs: number): boolean {
  return speakingSinceMs !== undefined && nowMs - speakingSinceMs >= PART_MS_MAX;
}

/** From when on audio is still needed. */
export function neededSinceMs({ takenMs, stretches, speakingSinceMs }: Utterance, nowMs: number): number {
  const sinceMs = stretches[0]?.startMs ?? speakingSinceMs ?? nowMs;
  return Math.max(takenMs, sinceMs - LEAD_MS);
}

/** All that was said; undefined as long as there was nothing. */
export function wholeOf({ stretches }: Utterance): Stretch | undefined {
  const [first, last] = [stretches[0], stretches.at(-1)];
  return first && last && { startMs: first.startMs, endMs: last.endMs };
}

/**
 * The audio of the parts that are recognised each by itself, with a little of the silence around them. What is said later changes no
 * part but the last one.
 */
export function soundsOf({ takenMs, stretches }: Utterance): readonly Stretch[] {
  const parts = partsOf(stretches);
  return parts.map(({ startMs, endMs, isCut }, i) => ({
    startMs: Math.max(startMs - LEAD_MS, parts[i - 1]?.endMs ?? takenMs),
    endMs: isCut ? endMs : endMs + TAIL_MS,
  }));
}

function partsOf(stretches: readonly VoiceStretch[]): readonly VoiceStretch[] {
  const parts: VoiceStretch[] = [];
  for (const stretch of stretches) {
    const last = parts.at(-1);
    if (last && continuesIn(last, stretch)) parts[parts.length - 1] = { ...stretch, startMs: last.startMs };
    else parts.push(stretch);
  }
  return parts;
}

function continuesIn(part: VoiceStretch, { startMs, endMs }: VoiceStretch): boolean {
  const isFull = part.endMs - part.startMs >= PART_MS_ENOUGH;
  return !isFull && startMs - part.endMs < SILENCE_BETWEEN_PARTS_MS && endMs - part.startMs <= PART_MS_MAX;
}

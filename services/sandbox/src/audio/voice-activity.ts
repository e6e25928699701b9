/** Root mean square of a frame that counts as sound. */
const LEVEL_MIN = 200;
/** A pause that is longer than this ends an utterance. */
const PAUSE_MS = 500;
/** Words begin softly: the audio just before the first loud frame belongs to them. */
const LEAD_MS = 200;

/** Lets utterances in the continuous audio of a microphone pass, and holds silence back. */
export class VoiceActivity {
  readonly #sampleRate: number;
  #lead: Int16Array[] = [];
  /** The duration of silence since the last loud frame. */
  #silentMs = Infinity;
  /** The number of utterances that have begun. */
  utterances = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /** The frames that pass with this one: none in silence, also those before it at the beginning of an utterance. */
  pass(frame: Int16Array): readonly Int16Array[] {
    const frameMs = (frame.length / this.#sampleRate) * 1000;
    const loud = isLoud(frame);
    if (loud && this.#silentMs > PAUSE_MS) this.utterances += 1;
    this.#silentMs = loud ? 0 : this.#silentMs + frameMs;
    if (!loud && this.#silentMs > PAUSE_MS) {
      this.#lead = [...this.#lead, frame].slice(-Math.ceil(LEAD_MS / Math.max(1, frameMs)));
      return [];
    }
    const passing = [...this.#lead, frame];
    this.#lead = [];
    return passing;
  }
}

/** Whether there is sound in a frame. */
export function isLoud(samples: Int16Array): boolean {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length)) >= LEVEL_MIN;
}

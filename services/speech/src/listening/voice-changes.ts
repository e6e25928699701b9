/** The length of sound that voice activity is decided for at a time. */
export const FRAME_MS = 32;

/** Silero's own thresholds: a voice begins above the first and goes on above the second. */
const VOICE_MIN = 0.5;
const VOICE_GOES_ON_MIN = 0.35;
/** One frame alone is a click, or a tone that begins. */
const FRAMES_OF_BEGINNING = 2;
/** 192 ms. */
const FRAMES_OF_PAUSE = 6;

/** Where in the audio the voice stands after some frames. */
export interface VoiceState {
  /** How many frames there were. */
  readonly frames: number;
  readonly speaking: boolean;
  /** How many of the last frames may be the beginning of a voice. */
  readonly beginning: number;
  /** The end of the last frame with voice. */
  readonly voicedUntil: number;
}

export interface VoiceChange {
  readonly kind: 'began' | 'paused';
  readonly atMs: number;
}

export const silentFromStart: VoiceState = { frames: 0, speaking: false, beginning: 0, voicedUntil: 0 };

/** The next frame, by the probability of a voice in it. */
export function hearFrame(state: VoiceState, probability: number): { state: VoiceState; change?: VoiceChange } {
  const frames = state.frames + 1;
  if (state.speaking) {
    const voicedUntil = probability >= VOICE_GOES_ON_MIN ? frames : state.voicedUntil;
    const speaking = frames - voicedUntil < FRAMES_OF_PAUSE;
    const next = { frames, speaking, beginning: 0, voicedUntil };
    return speaking ? { state: next } : { state: next, change: { kind: 'paused', atMs: voicedUntil * FRAME_MS } };
  }
  const beginning = probability >= VOICE_MIN ? state.beginning + 1 : 0;
  if (beginning < FRAMES_OF_BEGINNING) return { state: { ...state, frames, beginning } };
  const change: VoiceChange = { kind: 'began', atMs: (frames - beginning) * FRAME_MS };
  return { state: { frames, speaking: true, beginning: 0, voicedUntil: frames }, change };
}

/** The pause at the end of the audio: nobody says anything more. */
export function endOfAudio({ speaking, voicedUntil }: VoiceState): VoiceChange | undefined {
  return speaking ? { kind: 'paused', atMs: voicedUntil * FRAME_MS } : undefined;
}

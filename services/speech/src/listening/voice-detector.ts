import { TELEPHONE_RATE } from '../audio/speech-samples.ts';
import { FRAME_MS } from './voice-changes.ts';

export const FRAME_SAMPLES = (FRAME_MS * TELEPHONE_RATE) / 1000;
/** The model looks this far back before each frame. */
export const LEAD_MS = 4;
export const LEAD_SAMPLES = (LEAD_MS * TELEPHONE_RATE) / 1000;
/** The numbers in which the model remembers what it heard. */
export const MEMORY_LENGTH = 2 * 128;

/** Some frames of a stream; what the worker has to know of it comes with them, so that any worker can take them. */
export interface VoiceJob {
  /** 16 bit at `TELEPHONE_RATE`: `LEAD_SAMPLES` of what was before, then whole frames. */
  readonly samples: Int16Array;
  readonly memory: Float32Array;
}

export interface VoiceProbabilities {
  /** Of a voice, for each frame. */
  readonly probabilities: Float32Array;
  /** For the next frames of the stream. */
  readonly memory: Float32Array;
}

/** A frame of silence at the start of a stream. */
export const silentJob: VoiceJob = {
  samples: new Int16Array(LEAD_SAMPLES + FRAME_SAMPLES),
  memory: new Float32Array(MEMORY_LENGTH),
};

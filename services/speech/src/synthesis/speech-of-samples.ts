import { readWav, toFloat32 } from '@parley/audio';
import { speechSamples } from '../audio/speech-samples.ts';

/** An engine's own 16-bit samples as speech at the rate that is wanted. */
export function speechOfSamples(engine: { samples: Int16Array; rate: number; wantedRate: number }): Int16Array {
  return speechSamples(toFloat32(engine.samples), engine.rate, engine.wantedRate);
}

/** The first channel of a WAV file as speech at the rate that is wanted. Undefined for what is not a WAV file. */
export function speechOfWav({ wav, wantedRate }: { wav: Uint8Array; wantedRate: number }): Int16Array | undefined {
  const sound = readWav(wav);
  return sound && speechSamples(sound.channels[0]!, sound.rate, wantedRate);
}

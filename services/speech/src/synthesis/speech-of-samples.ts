import { speechSamples } from '../audio/speech-samples.ts';
import { readWav } from '../audio/wav.ts';

/** An engine's own 16-bit samples as speech at our rate. */
export function speechOfSamples({ samples, rate }: { samples: Int16Array; rate: number }): Int16Array {
  return speechSamples(
    Float32Array.from(samples, (sample) => sample / 32_768),
    rate,
  );
}

/** The first channel of a WAV file as speech at our rate. Undefined for what is not a WAV file. */
export function speechOfWav({ wav }: { wav: Uint8Array }): Int16Array | undefined {
  const sound = readWav(wav);
  return sound && speechSamples(sound.channels[0]!, sound.rate);
}

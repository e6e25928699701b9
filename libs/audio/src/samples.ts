/** Samples as bytes; every machine we run on is little-endian. */
export function pcmOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Bytes as samples: a copy, since bytes of a message may begin anywhere. */
export function samplesOf(pcm: Uint8Array): Int16Array {
  return new Int16Array(Uint8Array.from(pcm).buffer);
}

/** Samples from -1 to 1. */
export function toFloat32(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, (sample) => sample / 32_768);
}

/** The nearest sample of 16 bits. */
export const clampSample = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));

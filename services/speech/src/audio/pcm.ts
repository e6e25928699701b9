/** Samples as bytes; every machine we run on is little-endian. */
export function pcmOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Bytes as samples: a copy, since bytes of a message may begin anywhere. */
export function samplesOf(pcm: Uint8Array): Int16Array {
  return new Int16Array(Uint8Array.from(pcm).buffer);
}

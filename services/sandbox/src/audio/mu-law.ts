/** G.711 µ-law: 8 bits for each sample. */
const BIAS = 0x84;
const LOUDEST = 32_635;

export function encodeMuLaw(samples: Int16Array): Buffer {
  return Buffer.from(Array.from(samples, encodeSample));
}

export function decodeMuLaw(bytes: Uint8Array): Int16Array {
  return Int16Array.from(bytes, (byte) => decoded[byte]!);
}

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), LOUDEST) + BIAS;
  const exponent = 31 - Math.clz32(magnitude >> 7);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

const decoded = Int16Array.from({ length: 256 }, (_, byte) => {
  const value = ~byte & 0xff;
  const magnitude = ((((value & 0x0f) << 3) + BIAS) << ((value & 0x70) >> 4)) - BIAS;
  return value & 0x80 ? -magnitude : magnitude;
});

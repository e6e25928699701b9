/** G.711 at 8 kHz: 8 bits for each sample. PCMU is the µ-law of America and Japan, PCMA the A-law of everywhere else. */
export type Codec = 'PCMU' | 'PCMA';

export function encodeG711(codec: Codec, samples: Int16Array): Buffer {
  const encode = codec === 'PCMU' ? toMuLaw : toALaw;
  const bytes = Buffer.alloc(samples.length);
  for (let at = 0; at < samples.length; at += 1) bytes[at] = encode(samples[at]!);
  return bytes;
}

export function decodeG711(codec: Codec, bytes: Uint8Array): Int16Array {
  const decoded = codec === 'PCMU' ? fromMuLaw : fromALaw;
  const samples = new Int16Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) samples[at] = decoded[bytes[at]!]!;
  return samples;
}

const BIAS = 0x84;
const LOUDEST = 32_635;

function toMuLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), LOUDEST) + BIAS;
  const exponent = 31 - Math.clz32(magnitude >> 7);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

const fromMuLaw = Int16Array.from({ length: 256 }, (_, byte) => {
  const value = ~byte & 0xff;
  const magnitude = ((((value & 0x0f) << 3) + BIAS) << ((value & 0x70) >> 4)) - BIAS;
  return value & 0x80 ? -magnitude : magnitude;
});

/** Every second bit is inverted on the line. */
const A_LAW_INVERTED = 0x55;

function toALaw(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  // One below for negative samples: -1 is as loud as 0.
  const magnitude = Math.min(sample < 0 ? -sample - 1 : sample, 32_767) >> 3;
  const exponent = Math.max(0, 27 - Math.clz32(magnitude));
  const mantissa = exponent === 0 ? magnitude >> 1 : magnitude >> exponent;
  return (sign | (exponent << 4) | (mantissa & 0x0f)) ^ A_LAW_INVERTED;
}

const fromALaw = Int16Array.from({ length: 256 }, (_, byte) => {
  const value = byte ^ A_LAW_INVERTED;
  const exponent = (value & 0x70) >> 4;
  const mantissa = ((value & 0x0f) << 4) + (exponent === 0 ? 8 : 0x108);
  const magnitude = mantissa << Math.max(0, exponent - 1);
  return value & 0x80 ? magnitude : -magnitude;
});

import { alawToLinear, ulawToLinear } from './g711.ts';

/** Sound as numbers from -1 to 1, one array for each channel. */
export interface Sound {
  readonly rate: number;
  readonly channels: readonly Float32Array[];
}

const HEADER_BYTES = 44;
const FORMAT = { pcm: 1, float: 3, alaw: 6, ulaw: 7, extensible: 0xfffe };

/** A WAV file of 16-bit samples, one channel. */
export function writeWav(samples: Int16Array, rate: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.byteLength, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(FORMAT.pcm, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)]);
}

/** Reads a WAV file: 8 to 32 bit, floating point, A-law or mu-law. Undefined when it is anything else. */
export function readWav(file: Uint8Array): Sound | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let format: Buffer | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const start = at + 8;
    // A file that was streamed gives no true length: its samples go on to the end.
    const end = Math.min(start + bytes.readUInt32LE(at + 4), bytes.length);
    if (name === 'fmt ' && end - start >= 16) format = bytes.subarray(start, end);
    if (name === 'data') return format && readSamples(format, bytes.subarray(start, end));
    at = end + (end % 2);
  }
  return undefined;
}

function readSamples(format: Buffer, data: Buffer): Sound | undefined {
  const tag = format.readUInt16LE(0);
  const kind = tag === FORMAT.extensible && format.length >= 26 ? format.readUInt16LE(24) : tag;
  const channelCount = format.readUInt16LE(2);
  const rate = format.readUInt32LE(4);
  const bits = format.readUInt16LE(14);
  const read = readerOf(kind, bits, data);
  if (!read || channelCount < 1 || channelCount > 8 || rate < 4000 || rate > 384_000) return undefined;
  const stride = (bits / 8) * channelCount;
  const frames = Math.floor(data.length / stride);
  const channels = Array.from({ length: channelCount }, (_, channel) => {
    const samples = new Float32Array(frames);
    for (let i = 0, at = (channel * bits) / 8; i < frames; i += 1, at += stride) samples[i] = read(at);
    return samples;
  });
  return { rate, channels };
}

function readerOf(kind: number, bits: number, data: Buffer): ((at: number) => number) | undefined {
  switch (`${kind}/${bits}`) {
    case '1/8':
      return (at) => (data.readUInt8(at) - 128) / 128;
    case '1/16': {
      // By far the most common, and twenty times faster than reading byte by byte; every machine we run on is little-endian.
      const samples = new Int16Array(Uint8Array.from(data.subarray(0, data.length & ~1)).buffer);
      return (at) => samples[at >> 1]! / 32_768;
    }
    case '1/24':
      return (at) => data.readIntLE(at, 3) / 8_388_608;
    case '1/32':
      return (at) => data.readInt32LE(at) / 2_147_483_648;
    case '3/32':
      return (at) => data.readFloatLE(at);
    case '6/8':
      return (at) => alawToLinear(data.readUInt8(at));
    case '7/8':
      return (at) => ulawToLinear(data.readUInt8(at));
    default:
      return undefined;
  }
}

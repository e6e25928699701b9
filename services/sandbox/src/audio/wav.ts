import { pcm16Format, readWavChunks, wavHeader } from '@parley/audio';

/** Sound as samples, one channel. */
export interface Sound {
  readonly samples: Int16Array;
  readonly sampleRate: number;
}

export const durationMs = (sound: Sound): number => (sound.samples.length / sound.sampleRate) * 1000;

const PCM = 1;

/** Reads a WAV file of 16-bit PCM; several channels are mixed into one. Undefined when it is nothing of the kind. */
export function readWav(file: Buffer): Sound | undefined {
  const chunks = readWavChunks(file);
  if (!chunks) return undefined;
  const { format, dataStart, dataEnd } = chunks;
  const [encoding, channels, bits] = [format.readUInt16LE(0), format.readUInt16LE(2), format.readUInt16LE(14)];
  if (encoding !== PCM || bits !== 16 || channels < 1) return undefined;
  return mixed(file.subarray(dataStart, dataEnd), { channels, sampleRate: format.readUInt32LE(4) });
}

function mixed(data: Buffer, { channels, sampleRate }: { channels: number; sampleRate: number }): Sound {
  const frames = Math.floor(data.length / (2 * channels));
  // A copy: the bytes of a file need not lie where 16-bit numbers may.
  const all = new Int16Array(frames * channels);
  data.copy(Buffer.from(all.buffer), 0, 0, all.byteLength);
  if (channels === 1) return { samples: all, sampleRate };
  const samples = new Int16Array(frames);
  for (let frame = 0; frame < frames; frame += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) sum += all[frame * channels + channel]!;
    samples[frame] = sum / channels;
  }
  return { samples, sampleRate };
}

/** A WAV file of 16-bit PCM, a channel for each track; shorter tracks end in silence. */
export function writeWav(tracks: readonly Int16Array[], sampleRate: number): Buffer {
  const frames = Math.max(0, ...tracks.map(({ length }) => length));
  const interleaved = new Int16Array(frames * tracks.length);
  tracks.forEach((track, index) => {
    for (let frame = 0; frame < track.length; frame += 1) interleaved[frame * tracks.length + index] = track[frame]!;
  });
  const header = wavHeader(pcm16Format(tracks.length, sampleRate), interleaved.byteLength);
  return Buffer.concat([header, Buffer.from(interleaved.buffer)]);
}

/** The header has length 0, as in the file of a switch that was killed during a recording. */
export function withUnfinishedHeader(file: Buffer): Buffer {
  const unfinished = Buffer.from(file);
  unfinished.writeUInt32LE(8, 4);
  unfinished.writeUInt32LE(0, 40);
  return unfinished;
}

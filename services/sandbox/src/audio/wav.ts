/** Sound as samples, one channel. */
export interface Sound {
  readonly samples: Int16Array;
  readonly sampleRate: number;
}

export const durationMs = (sound: Sound): number => (sound.samples.length / sound.sampleRate) * 1000;

const HEADER_BYTES = 44;

/** Reads a WAV file of 16-bit PCM; several channels are mixed into one. Undefined when it is nothing of the kind. */
export function readWav(file: Buffer): Sound | undefined {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') {
    return undefined;
  }
  let format: { channels: number; sampleRate: number } | undefined;
  for (let at = 12; at + 8 <= file.length;) {
    const id = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const start = at + 8;
    if (id === 'fmt ' && start + 16 <= file.length) {
      const [encoding, channels, bits] = [
        file.readUInt16LE(start),
        file.readUInt16LE(start + 2),
        file.readUInt16LE(start + 14),
      ];
      if (encoding !== 1 || bits !== 16 || channels < 1) return undefined;
      format = { channels, sampleRate: file.readUInt32LE(start + 4) };
    }
    if (id === 'data' && format) return mixed(file.subarray(start, start + size), format);
    at = start + size + (size % 2);
  }
  return undefined;
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
  const file = Buffer.alloc(HEADER_BYTES + interleaved.byteLength);
  Buffer.from(interleaved.buffer).copy(file, HEADER_BYTES);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(tracks.length, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * tracks.length * 2, 28);
  file.writeUInt16LE(tracks.length * 2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(interleaved.byteLength, 40);
  return file;
}

/** As a switch leaves it behind that is killed while it records: the header says that there is nothing. */
export function withUnfinishedHeader(file: Buffer): Buffer {
  const unfinished = Buffer.from(file);
  unfinished.writeUInt32LE(8, 4);
  unfinished.writeUInt32LE(0, 40);
  return unfinished;
}

const RATE = 8000;
const BEAT_SECS = 0.5;
/** Broken chords, quiet: C, A minor, F, G, in hertz. */
const CHORDS = [
  [261.63, 329.63, 392],
  [220, 261.63, 329.63],
  [174.61, 220, 261.63],
  [196, 246.94, 293.66],
];
const LOUDNESS = 2500;

/** Music for callers who wait, as a WAV file (16 bit, mono, 8 kHz). An installation may have its own instead. */
export function holdMusic(): Buffer {
  const notes = CHORDS.flatMap((chord) => [...chord, ...chord.toReversed(), chord[0]!, chord[2]!]);
  const samples = notes.flatMap((hertz) =>
    Array.from({ length: RATE * BEAT_SECS }, (_, index) => {
      const secs = index / RATE;
      const decay = Math.exp(-4 * secs) * Math.min(1, secs / 0.01);
      return Math.round(
        LOUDNESS * decay * (Math.sin(2 * Math.PI * hertz * secs) + 0.3 * Math.sin(4 * Math.PI * hertz * secs)),
      );
    }),
  );
  const data = Buffer.from(Int16Array.from(samples).buffer);
  return Buffer.concat([header(data.length), data]);
}

function header(dataBytes: number): Buffer {
  const bytes = Buffer.alloc(44);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + dataBytes, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(RATE * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(dataBytes, 40);
  return bytes;
}

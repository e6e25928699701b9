/** A WAV file of 16-bit mono samples at 8 kHz; `fill` tells one from another. */
export function testWav(sampleBytes: number, fill: number): Uint8Array {
  const wav = Buffer.alloc(44 + sampleBytes, fill);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + sampleBytes, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(16_000, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(sampleBytes, 40);
  return wav;
}

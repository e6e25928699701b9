// SPDX-License-Identifier: GPL-3.0-or-later
// A separate program around espeak-ng, under espeak-ng's licence, independent of Parley: a line of JSON
// {"voice", "text"} on standard input is answered on standard output by a line of JSON {"rate", "bytes"} and that many
// bytes of 16-bit samples, or by {"problem"}. `text` may hold SSML. It ends when its input does.
import { getPriority, setPriority } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

try {
  if (getPriority() < 2) setPriority(2);
} catch {
  // Not allowed here; it is no reason to end.
}
const [folder] = process.argv.slice(2);
const { default: load } = await import(pathToFileURL(path.join(folder, 'espeak-ng.js')).href);
const { eSpeakNGWorker } = await load();
const engine = await new eSpeakNGWorker();

for await (const line of createInterface({ input: process.stdin })) {
  const { voice, text } = JSON.parse(line);
  if (engine.set_voice(voice) !== 0) {
    process.stdout.write(`${JSON.stringify({ problem: `there is no voice ${voice}` })}\n`);
    continue;
  }
  const pieces = [];
  engine.synthesize(text, (samples) => {
    if (samples?.length) pieces.push(Buffer.from(Int16Array.from(samples).buffer));
  });
  const audio = Buffer.concat(pieces);
  process.stdout.write(`${JSON.stringify({ rate: engine.get_samplerate(), bytes: audio.length })}\n`);
  process.stdout.write(audio);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The bytes that a switch sent, frame by frame, from a recorded conversation. */
export function readTranscript(name: string): Buffer[] {
  const text = readFileSync(path.join(import.meta.dirname, 'transcripts', `${name}.txt`));
  const records = text.toString('latin1').split(/^--- /m).slice(1);
  return records.flatMap((record) => {
    const [head = '', ...rest] = record.split('\n');
    if (head.split(' ')[1] !== 'S') return [];
    const body = rest.join('\n');
    const end = body.indexOf('\n\n') + 2;
    const length = Number(/^Content-Length: (\d+)/m.exec(body.slice(0, end))?.[1] ?? 0);
    return [Buffer.from(body.slice(0, end + length), 'latin1')];
  });
}

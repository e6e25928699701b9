import { spawn } from 'node:child_process';
import path from 'node:path';
import { trackPendingResults, type Worker } from '../workers/worker.ts';

export interface EspeakJob {
  readonly voice: string;
  /** Plain text. */
  readonly text: string;
}

export interface EspeakSpeech {
  readonly rate: number;
  readonly samples: Int16Array;
}

const PROGRAM = path.resolve(import.meta.dirname, '../../espeak/espeak-main.mjs');
const NEWLINE = 10;

/** espeak-ng as a separate process, connected by pipes, which separates it from our code for its licence. */
export function launchEspeak(folder: string): Worker<EspeakJob, EspeakSpeech> {
  const child = spawn(process.execPath, [PROGRAM, folder], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const pendingResults = trackPendingResults<EspeakSpeech>();
  let lastId = 0;
  const read = resultReader((result) => pendingResults.take({ id: lastId, ...result }));
  child.stdout.on('data', read);
  child.stdin.on('error', (error) => pendingResults.lose(error.message));
  const ended = new Promise<string>((resolve) => {
    const end = (reason: string) => {
      pendingResults.lose(reason);
      resolve(reason);
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => end(signal ?? `exit code ${code}`));
  });
  return {
    ended,
    end: () => void child.kill('SIGKILL'),
    run({ voice, text }) {
      const { id, result } = pendingResults.next();
      lastId = id;
      child.stdin.write(`${JSON.stringify({ voice, text: escapeXml(text) })}\n`);
      return result;
    },
  };
}

type ReadResult = { result: EspeakSpeech } | { problem: string };

/** Assembles responses from chunks: a line with the number of bytes, then the bytes. */
function resultReader(take: (result: ReadResult) => void): (chunk: Buffer) => void {
  let buffered = Buffer.alloc(0);
  let header: { rate: number; bytes: number } | undefined;
  return (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      if (!header) {
        const end = buffered.indexOf(NEWLINE);
        if (end === -1) return;
        const line = JSON.parse(buffered.toString('utf8', 0, end)) as
          | { problem: string }
          | { rate: number; bytes: number };
        buffered = buffered.subarray(end + 1);
        if ('problem' in line) {
          take(line);
          continue;
        }
        header = line;
      }
      if (buffered.length < header.bytes) return;
      const samples = new Int16Array(Uint8Array.from(buffered.subarray(0, header.bytes)).buffer);
      buffered = buffered.subarray(header.bytes);
      const { rate } = header;
      header = undefined;
      take({ result: { rate, samples } });
    }
  };
}

/** The program reads markup. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

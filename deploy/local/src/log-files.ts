import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';

/** A log that has grown past this is put aside at the next start. */
const LOG_BYTES_MAX = 20_000_000;

/** The output of a stack's processes, one file each, so that the terminal stays readable. */
export interface LogFiles {
  /** Adds a line to the file of that name. */
  write(name: string, line: string): void;
  close(): Promise<void>;
}

export function openLogFiles(directory: string): LogFiles {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const streams = new Map<string, WriteStream>();
  const open = (name: string) => {
    const file = path.join(directory, `${name}.log`);
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > LOG_BYTES_MAX) renameSync(file, `${file}.old`);
    const stream = createWriteStream(file, { flags: 'a' });
    // A full disk must not end the stack for the sake of its log.
    stream.on('error', () => {});
    streams.set(name, stream);
    return stream;
  };
  return {
    write: (name, line) => void (streams.get(name) ?? open(name)).write(`${line}\n`),
    async close() {
      const open = [...streams.values()].filter((stream) => !stream.destroyed);
      await Promise.all(open.map((stream) => once(stream.end(), 'close')));
    },
  };
}

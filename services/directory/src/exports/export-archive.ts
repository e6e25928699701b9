import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { ExportedFile } from '@parley/personal-data';
import { ZipFile } from 'yazl';

/**
 * A zip of the files, made while it is read: of what a person has said, however much it is, a few blocks are in memory at a time.
 * Audio is stored as it is, because it hardly gets smaller.
 */
export function zipOf(files: AsyncIterable<ExportedFile>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const closed = new AbortController();
  // A download that was aborted reads nothing more of its sources.
  output.once('close', () => closed.abort());
  const fill = async () => {
    for await (const { name, content } of files) {
      const source = Readable.from(content);
      try {
        zip.addReadStream(source, name, { compress: !name.endsWith('.wav') });
        // The next file is not asked for before this one is written.
        await once(source, 'end', { signal: closed.signal });
      } finally {
        source.destroy();
      }
    }
    zip.end();
  };
  zip.on('error', (error) => output.destroy(error as Error));
  fill().catch((error: unknown) => output.destroy(error as Error));
  return output;
}

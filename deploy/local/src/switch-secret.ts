import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openDataDir } from './data-dir.ts';
import { loadSecrets, type Secrets } from './secrets.ts';

/**
 * The secret by which a switch and the stack of a data directory know each other. It exists before the first start: a
 * missing one is generated and kept there, for the stack to find.
 */
export async function switchSecretOf(dataDir: string): Promise<string> {
  const known = await readFile(path.join(dataDir, 'secrets.json'), 'utf8').then(
    (text) => (JSON.parse(text) as Partial<Secrets>).switchSecret,
    () => undefined,
  );
  if (known !== undefined) return known;
  const opened = await openDataDir(dataDir);
  try {
    return (await loadSecrets(opened, [])).switchSecret;
  } finally {
    await opened.release();
  }
}

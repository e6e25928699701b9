import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export const client = path.resolve(import.meta.dirname, '..');
const root = path.resolve(client, '../..');
/** As the workspace uses it, and where it is while the folder is packed. */
export const MANIFEST = path.join(client, 'package.json');
export const SAVED_MANIFEST = path.join(client, 'package.json.saved');

/** What is published: `package.json` as programs find it, JavaScript and declarations, README and licence. */
export async function writePublishable(folder: string, manifest: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const dist = path.join(folder, 'dist');
  await rm(dist, { recursive: true, force: true });
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['-p', client, '--outDir', dist]);
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(publishable(manifest), null, 2)}\n`);
  for (const [from, file] of [
    [root, 'LICENSE'],
    [client, 'README.md'],
  ] as const)
    if (path.resolve(folder, file) !== path.join(from, file)) await cp(path.join(from, file), path.join(folder, file));
}

/** A manifest without what is for the repository only; npm does not apply `publishConfig.exports`. */
export function publishable(manifest: string): object {
  const {
    publishConfig,
    scripts: _scripts,
    devDependencies: _devDependencies,
    ...rest
  } = JSON.parse(manifest) as Record<string, object>;
  return { ...rest, ...publishConfig };
}

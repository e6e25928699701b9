import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { publishable } from '../../typescript/build/publishable.ts';

export const kit = path.resolve(import.meta.dirname, '..');
const root = path.resolve(kit, '../..');
/** As the workspace uses it, and where it is while the folder is packed. */
export const MANIFEST = path.join(kit, 'package.json');
export const SAVED_MANIFEST = path.join(kit, 'package.json.saved');

/** What is published: the program and its entry for programs as JavaScript, README and licence. */
export async function writePublishable(folder: string, manifest: string): Promise<void> {
  const dist = path.join(folder, 'dist');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await build({
    entryPoints: ['cli-main.ts', 'index.ts'].map((name) => path.join(kit, 'src', name)),
    outdir: dist,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
  });
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(publishable(manifest), null, 2)}\n`);
  for (const [from, file] of [
    [root, 'LICENSE'],
    [kit, 'README.md'],
  ] as const)
    if (path.resolve(folder, file) !== path.join(from, file)) await cp(path.join(from, file), path.join(folder, file));
}

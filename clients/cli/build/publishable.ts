import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { publishable } from '../../typescript/build/publishable.ts';

export const cli = path.resolve(import.meta.dirname, '..');
const root = path.resolve(cli, '../..');
/** As the workspace uses it, and where it is while the folder is packed. */
export const MANIFEST = path.join(cli, 'package.json');
export const SAVED_MANIFEST = path.join(cli, 'package.json.saved');

/** What is published: the program with everything that it needs, README and licences. */
export async function writePublishable(folder: string, manifest: string): Promise<void> {
  const dist = path.join(folder, 'dist');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await build({
    entryPoints: [path.join(cli, 'src/main.ts')],
    outdir: dist,
    entryNames: 'parley',
    bundle: true,
    // The conformance kit is larger than everything else, and loaded only by its command.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node22.12',
    legalComments: 'inline',
  });
  const commander = path.dirname(createRequire(import.meta.url).resolve('commander'));
  await copyFile(path.join(commander, 'LICENSE'), path.join(dist, 'commander.LICENSE'));
  const { dependencies: _bundled, ...published } = publishable(manifest) as Record<string, object>;
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  for (const [from, file] of [
    [root, 'LICENSE'],
    [cli, 'README.md'],
  ] as const)
    if (path.resolve(folder, file) !== path.join(from, file)) await cp(path.join(from, file), path.join(folder, file));
}

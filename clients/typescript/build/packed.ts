import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** A client for Node.js, by its `publishable.ts`. */
export interface Publishable {
  readonly MANIFEST: string;
  writePublishable(folder: string, manifest: string): Promise<void>;
}

export interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: string;
  /** What is in the tarball. */
  readonly published: string;
}

/** Packs what is published of a client into a folder; the client's own folder stays as it is, unlike with `npm pack` there. */
export async function packed({ MANIFEST, writePublishable }: Publishable, folder: string): Promise<Packed> {
  const published = path.join(folder, 'published');
  await writePublishable(published, await readFile(MANIFEST, 'utf8'));
  const pack = ['pack', '--json', '--no-update-notifier', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', pack, { cwd: published });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const manifest = JSON.parse(await readFile(path.join(published, 'package.json'), 'utf8')) as Packed['manifest'];
  return { manifest, tarball: path.join(folder, filename), published };
}

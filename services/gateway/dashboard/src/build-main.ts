import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

// Builds the application into a new folder, with compressed copies of its files:
//   node services/gateway/dashboard/src/build-main.ts <folder>
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: build-main.ts <folder>');
const COMPRESSED = /\.(js|css|svg|webmanifest)$/;
/** Higher ones take seconds for a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

await build({
  configFile: path.join(import.meta.dirname, '../vite.config.ts'),
  configLoader: 'native',
  logLevel: 'warn',
  build: { outDir: folder, emptyOutDir: true },
});
const names = (await readdir(folder)).filter((name) => COMPRESSED.test(name));
await Promise.all(
  names.map(async (name) => {
    const file = path.join(folder, name);
    const body = await readFile(file);
    await writeFile(`${file}.gz`, await promisify(gzip)(body, { level: 9 }));
    await writeFile(`${file}.br`, await promisify(brotliCompress)(body, BROTLI));
  }),
);

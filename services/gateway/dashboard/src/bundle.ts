import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { componentTexts } from './component-texts.ts';
import { cssModules } from './css-modules.ts';
import { installFiles } from './install-files.ts';
import { FONT } from './tokens.ts';

const APP = path.join(import.meta.dirname, '../app');

/** The public path of the files; chunks import each other by it. */
const PUBLIC_PATH = '/assets/';

const STYLES = 'app.css';

/** Browsers that have everything the application uses without a polyfill. */
const TARGET = ['chrome120', 'edge120', 'firefox121', 'safari17.2'];

export interface DashboardFile {
  readonly contentType: string;
  /** The hash of the content. */
  readonly hash: string;
  readonly body: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  /** True when its name contains a hash of its content, so that it never changes. */
  readonly immutable: boolean;
}

/** The files by name. `app.js` and `app.css` are what a page loads; the other names contain a hash of the content. */
export type Dashboard = ReadonlyMap<string, DashboardFile>;

/** Bundles the application in memory: the sources are what is deployed, as everywhere in this repository. */
export async function bundleDashboard(): Promise<Dashboard> {
  const modules = cssModules(APP);
  const { outputFiles } = await build({
    entryPoints: { app: path.join(APP, 'main.tsx') },
    outdir: APP,
    publicPath: PUBLIC_PATH,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: TARGET,
    jsx: 'automatic',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.woff2': 'file' },
    plugins: [modules.plugin, componentTexts],
    logLevel: 'silent',
  });
  const outputs = outputFiles.map(
    ({ path: file, contents }) => [path.relative(APP, file), Buffer.from(contents)] as const,
  );
  const files = await Promise.all(
    [...withNamedFont(withOneStyleSheet(outputs, modules.styles('ui'))), ...(await installFiles())].map(
      async ([name, body]) => {
        const hash = createHash('sha256').update(body).digest('base64url');
        const compressed = { gzip: await gzipped(body, { level: 9 }), brotli: await brotlied(body, BROTLI) };
        return [
          name,
          { contentType: contentTypeOf(name), hash, body, ...compressed, immutable: /-\w{8}\./.test(name) },
        ] as const;
      },
    ),
  );
  return new Map(files);
}

type Output = readonly [name: string, body: Buffer];

/** A section that is loaded later brings its scripts but not its styles: all of them are in the one sheet that the page links. */
function withOneStyleSheet(outputs: readonly Output[], moduleStyles: Buffer): Output[] {
  const isStyleSheet = ([name]: Output) => name.endsWith('.css');
  const sheets = outputs.filter(isStyleSheet).toSorted(([a], [b]) => Number(b === STYLES) - Number(a === STYLES));
  const styles = Buffer.concat([...sheets.map(([, body]) => body), moduleStyles]);
  return [...outputs.filter((output) => !isStyleSheet(output)), [STYLES, styles]];
}

/** The typeface once more under a name that pages outside of the application know. */
function withNamedFont(outputs: readonly Output[]): Output[] {
  const [, font] = outputs.find(([name]) => name.startsWith('inter-latin-wght')) ?? [];
  return font ? [...outputs, [path.basename(FONT), font]] : [...outputs];
}

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
/** The quality at which a bundle takes milliseconds rather than seconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

function contentTypeOf(name: string): string {
  return CONTENT_TYPES[path.extname(name)] ?? 'application/octet-stream';
}

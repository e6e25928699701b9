import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import { componentTexts } from './component-texts.ts';
import { cssModules } from './css-modules.ts';
import { installFiles } from './install-files.ts';
import { oneCore } from './one-core.ts';
import { FONT, fontFile } from './tokens.ts';

const APP = path.join(import.meta.dirname, '../app');

/** The public path of the files; chunks import each other by it. */
const PUBLIC_PATH = '/assets/';

const STYLES = 'app.css';

/** What esbuild calls the files that several sections share. */
const SHARED = 'chunk';

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
  /** Of a script: the names of the scripts that it needs at once. */
  readonly imports: readonly string[];
}

/** The files by name. `app.js` and `app.css` are what a page loads; the other names contain a hash of the content. */
export type Dashboard = ReadonlyMap<string, DashboardFile>;

/** Bundles the application in memory: the sources are what is deployed, as everywhere in this repository. */
export async function bundleDashboard(): Promise<Dashboard> {
  const modules = cssModules(APP);
  const { outputFiles, metafile } = await build({
    entryPoints: { app: path.join(APP, 'main.tsx') },
    outdir: APP,
    publicPath: PUBLIC_PATH,
    write: false,
    metafile: true,
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
    plugins: [modules.plugin, componentTexts, oneCore(path.join(APP, 'shell/app.tsx')), sharedFont],
    logLevel: 'silent',
  });
  const outputs = outputFiles.map(
    ({ path: file, contents }) => [path.relative(APP, file), Buffer.from(contents)] as const,
  );
  const imports = importsOf(metafile);
  const styled = withOneStyleSheet(outputs, modules.styles('ui'));
  const files = await Promise.all(
    [...styled, [path.basename(FONT), fontFile] as const, ...(await installFiles())].map(async ([name, body]) => {
      const file: DashboardFile = {
        contentType: contentTypeOf(name),
        hash: createHash('sha256').update(body).digest('base64url'),
        body,
        gzip: await gzipped(body, { level: 9 }),
        brotli: await brotlied(body, BROTLI),
        immutable: /-\w{8}\./.test(name),
        imports: imports.get(name) ?? [],
      };
      return [name, file] as const;
    }),
  );
  return new Map(files);
}

/** The scripts that a section of the dashboard loads at once, so that the document can name all of them. */
export function scriptsOf(files: Dashboard, section: string): readonly string[] {
  const isOfSection = (name: string) => section !== SHARED && name.replace(/-\w{8}\.js$/, '') === section;
  const found = new Set([...files.keys()].filter((name) => name === 'app.js' || isOfSection(name)));
  // Iterating a set includes what is added to it meanwhile.
  for (const name of found) for (const imported of files.get(name)?.imports ?? []) found.add(imported);
  return [...found];
}

function importsOf({ outputs }: Metafile): ReadonlyMap<string, readonly string[]> {
  const isAtOnce = ({ kind }: { kind: string }) => kind === 'import-statement';
  return new Map(
    Object.entries(outputs).map(([file, { imports }]) => [
      path.basename(file),
      imports.filter(isAtOnce).map((imported) => path.basename(imported.path)),
    ]),
  );
}

/** The sheet names the typeface as pages without scripts do: a browser loads it once. */
const sharedFont: Plugin = {
  name: 'shared font',
  setup(build) {
    build.onResolve({ filter: /\/inter-latin-wght-normal\.woff2$/ }, () => ({ path: FONT, external: true }));
  },
};

type Output = readonly [name: string, body: Buffer];

/** A section that is loaded later brings its scripts but not its styles: all of them are in the one sheet that the page links. */
function withOneStyleSheet(outputs: readonly Output[], moduleStyles: Buffer): Output[] {
  const isStyleSheet = ([name]: Output) => name.endsWith('.css');
  const sheets = outputs.filter(isStyleSheet).toSorted(([a], [b]) => Number(b === STYLES) - Number(a === STYLES));
  const styles = Buffer.concat([...sheets.map(([, body]) => body), moduleStyles]);
  return [...outputs.filter((output) => !isStyleSheet(output)), [STYLES, styles]];
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

import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { documentsOfStack, STACK_PATHS, stackUrl } from './src/documents-of-stack.ts';
import { CUSTOM_MEDIA, FONT } from './src/tokens.ts';

const APP = path.join(import.meta.dirname, 'app');

/** Where the gateway serves the files, and where the development server has the modules, apart from the addresses of the stack. */
const [ASSETS, MODULES] = ['/assets/', '/modules/'];

/** What React Aria says in other languages than ours, two thirds of its size. */
const OTHER_LANGUAGES = /^\.\/(?!en-US|da-DK|de-DE)[a-z]{2}-[A-Z]{2}\.m?js$/;

const customMedia: Plugin = {
  name: 'custom media',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('.module.css') ? `${CUSTOM_MEDIA}${code}` : undefined),
};

/** The application for the gateway (`src/build.ts`), and with hot reload beside a running stack (`npm run dev`). */
export default defineConfig(({ command }) => ({
  root: APP,
  base: command === 'build' ? ASSETS : MODULES,
  publicDir: path.join(import.meta.dirname, 'public'),
  appType: 'custom',
  resolve: { alias: [{ find: OTHER_LANGUAGES, replacement: path.join(import.meta.dirname, 'src/no-texts.ts') }] },
  css: {
    transformer: 'lightningcss',
    lightningcss: {
      // Areas of a grid keep their names.
      cssModules: { pattern: '[name]_[local]_[hash]', animation: true, grid: false },
      drafts: { customMedia: true },
    },
  },
  build: {
    assetsDir: '',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    // A section that is loaded later brings its scripts but not its styles: all of them are in the one sheet that the page links.
    cssCodeSplit: false,
    manifest: true,
    modulePreload: false,
    reportCompressedSize: false,
    // Browsers that have everything the application uses without a polyfill.
    target: ['chrome120', 'edge120', 'firefox121', 'safari17.2'],
    rolldownOptions: {
      input: { app: path.join(APP, 'main.tsx') },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: ({ names: [name = ''] }) => assetName(name),
        // Everything that the first page needs is one file; otherwise there would be one for every set of sections that share a module.
        codeSplitting: { groups: [{ name: 'shell', tags: ['$initial'] }] },
      },
      onLog(level, log, report) {
        // "use client" of components: there is no server.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: {
    // oxlint-disable-next-line node/no-process-env -- a program of its own, for developers
    port: Number(process.env['PORT'] ?? 5173),
    strictPort: true,
    host: '127.0.0.1',
    fs: { allow: [path.join(import.meta.dirname, '../../..')] },
    proxy: { [STACK_PATHS]: { target: stackUrl, ws: true, headers: { origin: stackUrl } } },
  },
  plugins: [customMedia, documentsOfStack],
}));

function assetName(name: string): string {
  if (name === 'style.css') return 'app.css';
  // As pages without scripts name it: a browser loads it once.
  return name === 'inter-latin-wght-normal.woff2' ? path.basename(FONT) : '[name]-[hash][extname]';
}

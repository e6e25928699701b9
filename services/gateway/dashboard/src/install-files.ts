import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { TOKENS } from './tokens.ts';

/** The light value of a colour. */
function colour(name: string): string {
  return new RegExp(`--${name}:\\s*light-dark\\(\\s*(#\\w+)`).exec(TOKENS)?.[1] ?? '';
}

const MARK = '<path d="M11 2.5v13a6.5 6.5 0 0 1 0-13Z"/><path d="M13 8.5v13a6.5 6.5 0 0 0 0-13Z" opacity=".62"/>';

/** The files of the installable application: its icon, its manifest, and the worker that caches its shell. */
export async function installFiles(): Promise<readonly (readonly [name: string, body: Buffer])[]> {
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${colour('accent')}"/>
<g fill="#fff" transform="translate(3.6 3.6) scale(.7)">${MARK}</g></svg>`;
  const manifest = {
    name: 'Parley',
    short_name: 'Parley',
    id: '/dashboard/',
    start_url: '/dashboard/inbox',
    scope: '/',
    display: 'standalone',
    background_color: colour('canvas'),
    theme_color: colour('canvas'),
    icons: [{ src: '/assets/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
    shortcuts: [
      { name: 'Inbox', url: '/dashboard/inbox' },
      { name: 'Calls', url: '/dashboard/calls' },
    ],
  };
  return [
    ['icon.svg', Buffer.from(icon)],
    ['manifest.webmanifest', Buffer.from(JSON.stringify(manifest))],
    ['worker.js', await readFile(path.join(import.meta.dirname, 'worker.js'))],
  ];
}

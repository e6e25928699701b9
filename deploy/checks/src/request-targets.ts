import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './root.ts';

interface Rule {
  readonly pattern: RegExp;
  readonly reason: string;
}

/** Constructs that are allowed only in the listener of `libs/http`, which handles their errors and leaks. */
const RULES: readonly Rule[] = [
  {
    pattern: /new URL\(\s*[^;]*?\b(?:request|req|message|incoming)\??\.(?:url|headers)\b/gi,
    reason: 'throws for some targets, and ends the process in an event handler: use readTarget of @parley/http',
  },
  {
    pattern: /\.(?:on|once|addListener)\(\s*['"`]upgrade['"`]/g,
    reason: 'an upgraded socket needs an error listener before anything else: use serveUpgrades of @parley/http',
  },
  {
    pattern: /import\s*\{[^}]*\bcreateServer\b[^}]*\}\s*from\s*'(?:node:)?https?'/g,
    reason: 'a server needs its limits and its responses to unreadable requests: use listenHttp of @parley/http',
  },
];

const CHECKED = /^(?:services|libs)\/[^/]+\/src\/.*\.ts$/;
const EXEMPT = [/\.test\.ts$/, /^libs\/(?:testkit|embedded)\//, /^libs\/http\/src\/server\//];

/** Problems of one file, as `file:line: reason`. */
export function requestTargetProblems(file: string, text: string): string[] {
  if (!CHECKED.test(file) || EXEMPT.some((exempt) => exempt.test(file))) return [];
  return RULES.flatMap(({ pattern, reason }) =>
    [...text.matchAll(pattern)].map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}: ${reason}`),
  );
}

/** Reads every file of the repository that serves something. */
export async function requestTargetsAreReadSafely(): Promise<{ ok: boolean; output: string }> {
  const files = await Array.fromAsync(glob('{services,libs}/*/src/**/*.ts', { cwd: root }));
  const problems = await Promise.all(
    files.map(async (file) => requestTargetProblems(file, await readFile(path.join(root, file), 'utf8'))),
  );
  const output = problems.flat().join('\n');
  return { ok: output === '' && files.length > 0, output: output || 'no files were found' };
}

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './root.ts';
import { runCommand } from './run-command.ts';

const committed = path.join(root, 'proto/gen');

/** Generates the code of the contracts in another folder and compares it. */
export async function generatedCodeIsCurrent(): Promise<{ ok: boolean; output: string }> {
  const fresh = await mkdtemp(path.join(tmpdir(), 'parley-gen-'));
  try {
    const generated = await generateCode(fresh);
    if (!generated.ok) return generated;
    const [before, after] = await Promise.all([filesBelow(committed), filesBelow(path.join(fresh, 'gen'))]);
    const names = new Set([...before.keys(), ...after.keys()]);
    const different = [...names].filter((name) => before.get(name) !== after.get(name));
    return {
      ok: different.length === 0,
      output: `differs from proto/; run "npm run generate":\n${different.join('\n')}`,
    };
  } finally {
    await rm(fresh, { recursive: true });
  }
}

/** `below`: the folder for its own `gen`. */
export function generateCode(below: string): Promise<{ ok: boolean; output: string }> {
  return runCommand('buf', ['generate', '-o', below], path.join(root, 'proto'));
}

async function filesBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(files.map(async (file) => [path.relative(folder, file), await readFile(file, 'utf8')] as const)),
  );
}

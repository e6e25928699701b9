import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { buildProgram } from '../program.ts';
import type { System } from '../system.ts';
import { candidatesFor } from './completion.ts';
import { completionScript } from './completion-scripts.ts';

const run = promisify(execFile);
const MAIN = path.resolve(import.meta.dirname, '../main.ts');

/** What follows these words: the last one is being typed. */
async function wordsAfter(...words: string[]): Promise<string[]> {
  const written: string[] = [];
  const system = { env: {}, write: (text: string) => written.push(text) } as unknown as System;
  await buildProgram(system).parseAsync(['__complete', '--', ...words], { from: 'user' });
  return written.map((line) => line.split('\t')[0]!);
}

describe('the completion of a command', () => {
  it.each([
    [['lo'], ['login', 'logout', 'logs']],
    [
      ['events', ''],
      ['list', 'get', 'types', 'resend'],
    ],
    [['events', 'resend', 'evt_1', '--w'], ['--webhook']],
    [
      ['trigger', 'contact.'],
      ['contact.created', 'contact.updated', 'contact.deleted'],
    ],
    [
      ['--profile', 'x', 'docs', ''],
      ['openapi', 'asyncapi'],
    ],
    [['completion', 'f'], ['fish']],
    [
      ['api', 'P'],
      ['POST', 'PUT', 'PATCH'],
    ],
    [['api', 'GET', ''], []],
    [['listen', '--forward-to', ''], []],
    [['logs', '--pro'], ['--profile']],
    [['unknown', ''], []],
  ])('the completion of %j is %j', async (words, expected) => {
    expect(await wordsAfter(...words)).toEqual(expected);
  });

  it('the completion of nothing is every command that is in the help', async () => {
    const all = await wordsAfter('');
    expect(all).toEqual(expect.arrayContaining(['login', 'api', 'listen', 'events', 'trigger', 'conformance']));
    expect(all).not.toContain('__complete');
    expect(
      candidatesFor(buildProgram({ env: {} } as System), ['']).every(({ description }) => description !== ''),
    ).toBe(true);
  });

  it('the completion of bash asks the program, and completes names with dots and colons', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-cli-'));
    const program = path.join(folder, 'parley');
    await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
    await chmod(program, 0o755);
    const script = `
      ${completionScript('bash')}
      COMP_LINE='parley trigger number.registration_a' COMP_POINT=36
      _parley; echo "\${COMPREPLY[@]}"
      COMP_LINE='parley events ' COMP_POINT=14
      _parley; echo "\${COMPREPLY[@]}"
    `;
    const env = { PATH: `${folder}:${process.env['PATH']}` };
    const { stdout } = await run('bash', ['-c', script], { env });
    expect(stdout.split('\n')).toEqual(['number.registration_approved', 'list get types resend', '']);
    await rm(folder, { recursive: true });
  });

  it.each(['zsh', 'fish'] as const)(
    'the completion of %s is a script that this shell can read, where it is installed',
    async (shell) => {
      const script = completionScript(shell);
      expect(script).toContain('parley __complete --');
      const isInstalled = await run(shell, ['--version']).then(
        () => true,
        () => false,
      );
      if (isInstalled) await run(shell, ['-n', '-c', script]);
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import { type Containers, type Finished, imageProblems } from './image-problems.ts';

const config = {
  User: '10001:10001',
  Entrypoint: ['node', 'src/main.ts'],
  Labels: {
    'org.opencontainers.image.title': 'parley/directory',
    'org.opencontainers.image.revision': '0123456',
    'org.opencontainers.image.version': '0.3.0',
  },
};

/** A program of containers that answers as for a sound image, but for what is given. */
function containers(
  answers: Partial<Record<'inspect' | 'start' | 'build-indexes' | 'write', Finished>> = {},
): Containers {
  const sound = {
    inspect: { code: 0, output: JSON.stringify(config) },
    start: { code: 1, output: 'directory cannot start with these settings:\n  MONGODB_URL: is missing' },
    'build-indexes': { code: 0, output: '{"msg":"no MONGODB_URL, no indexes"}' },
    write: { code: 1, output: 'EACCES' },
  };
  return (...args) => {
    const asked = args.includes('inspect')
      ? 'inspect'
      : args.includes('--eval')
        ? 'write'
        : args.includes('build-indexes')
          ? 'build-indexes'
          : 'start';
    return Promise.resolve({ ...sound, ...answers }[asked]);
  };
}

const problemsWith = (answers: Parameters<typeof containers>[0]) =>
  imageProblems({ service: 'directory', image: 'parley/directory:0.3.0', hasDatabase: true }, containers(answers));

const inspected = (change: object): Finished => ({ code: 0, output: JSON.stringify({ ...config, ...change }) });

describe('the check of an image', () => {
  it('the check of an image finds nothing in a sound one', async () => {
    expect(await problemsWith({})).toEqual([]);
  });

  it.each<[string, Parameters<typeof containers>[0], RegExp]>([
    ['that is not there', { inspect: { code: 1, output: 'no such image' } }, /not on this machine/],
    ['of root', { inspect: inspected({ User: '' }) }, /runs as /],
    ['with a shell', { inspect: inspected({ Entrypoint: ['sh', '-c', 'node'] }) }, /starts sh -c node/],
    ['of another service', { inspect: inspected({ Labels: {} }) }, /another service/],
    ['that does not name its commit', { inspect: inspected({ Labels: {} }) }, /does not name its revision/],
    ['with code that is missing', { start: { code: 1, output: 'ERR_MODULE_NOT_FOUND' } }, /does not load/],
    ['that cannot build its indexes', { 'build-indexes': { code: 1, output: 'ENOENT' } }, /build-indexes fails/],
    ['that can change its code', { write: { code: 0, output: '' } }, /can write to \/app/],
  ])('the check of an image finds one %s', async (_, answers, problem) => {
    expect((await problemsWith(answers)).join('\n')).toMatch(problem);
  });
});

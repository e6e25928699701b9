import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { launchChild, launchThread, type Worker, WorkerLost } from './worker.ts';

interface Job {
  do: 'echo' | 'fail' | 'die' | 'hang';
  value?: Int16Array;
}

const PROGRAM = fileURLToPath(new URL('../../test/jobs-main.ts', import.meta.url));

const kinds: [string, () => Worker<Job, Int16Array>][] = [
  ['child process', () => launchChild(PROGRAM, [])],
  ['thread', () => launchThread(PROGRAM)],
];

describe.each(kinds)('a worker in a %s', (_, launch) => {
  it('a worker gets and gives arrays of numbers unchanged', async () => {
    const worker = launch();
    const value = Int16Array.of(1, -2, 32_767);
    await expect(worker.run({ do: 'echo', value })).resolves.toEqual(value);
    worker.end();
    await worker.ended;
  });

  it('a worker reports an error and continues', async () => {
    const worker = launch();
    await expect(worker.run({ do: 'fail' })).rejects.toThrow('as requested');
    await expect(worker.run({ do: 'echo', value: Int16Array.of(7) })).resolves.toEqual(Int16Array.of(7));
    worker.end();
    await worker.ended;
  });

  it('a worker can be ended while it calculates', async () => {
    const worker = launch();
    await worker.run({ do: 'echo' });
    const hanging = worker.run({ do: 'hang' });
    const lost = expect(hanging).rejects.toBeInstanceOf(WorkerLost);
    worker.end();
    await lost;
    await expect(worker.run({ do: 'echo' })).rejects.toBeInstanceOf(WorkerLost);
  });
});

it('a crash of native code ends its process only', async () => {
  const worker = launchChild<Job, Int16Array>(PROGRAM, []);
  await expect(worker.run({ do: 'die' })).rejects.toThrow('SIGABRT');
  await expect(worker.ended).resolves.toBe('SIGABRT');
});

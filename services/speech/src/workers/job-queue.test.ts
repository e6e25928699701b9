import { describe, expect, it } from '@jest/globals';
import { jobQueue } from './job-queue.ts';
import { type JobPriority, PRIORITY } from './job-context.ts';

interface Task {
  readonly name: string;
  readonly context: { readonly companyId: string; readonly priority: JobPriority };
}

const task = (name: string, companyId = name[0] ?? '', priority: JobPriority = PRIORITY.background): Task => ({
  name,
  context: { companyId, priority },
});

function order(...tasks: Task[]): string[] {
  const queue = jobQueue<Task>();
  for (const one of tasks) queue.push(one);
  return tasks.map(() => queue.take()?.name ?? '');
}

describe('a fair queue', () => {
  it('a fair queue lets companies take turns, each in order of arrival', () => {
    expect(order(task('a1'), task('a2'), task('a3'), task('b1'), task('b2'), task('c1'))).toEqual([
      'a1',
      'b1',
      'c1',
      'a2',
      'b2',
      'a3',
    ]);
  });

  it('a fair queue takes a company that was never served before all others', () => {
    const queue = jobQueue<Task>();
    for (let index = 0; index < 100; index++) queue.push(task(`a${index}`));
    expect(queue.take()?.name).toBe('a0');
    queue.push(task('b0'));
    expect(queue.take()?.name).toBe('b0');
    expect(queue.take()?.name).toBe('a1');
  });

  it('a fair queue puts calls before interactive requests, and those before background work', () => {
    expect(
      order(task('a1'), task('b1', 'b', PRIORITY.interactive), task('a2', 'a', PRIORITY.call), task('c1')),
    ).toEqual(['a2', 'b1', 'c1', 'a1']);
  });

  it('a fair queue drops removed tasks, and is empty in the end', () => {
    const queue = jobQueue<Task>();
    const gone = task('a1');
    queue.push(gone);
    queue.push(task('a2'));
    queue.remove(gone);
    queue.remove(gone);
    expect(queue.drain().map(({ name }) => name)).toEqual(['a2']);
    expect(queue.take()).toBeUndefined();
  });
});

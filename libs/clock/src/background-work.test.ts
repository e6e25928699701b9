import { describe, expect, it } from '@jest/globals';
import { trackBackgroundWork } from './background-work.ts';

describe('background work', () => {
  it('background work counts work in progress and finished work', async () => {
    const backgroundWork = trackBackgroundWork();
    let finish = () => {};
    const work = backgroundWork.during(() => new Promise<string>((resolve) => (finish = () => resolve('done'))));
    expect(await backgroundWork.report()).toEqual({ busy: 1, finished: 0 });
    finish();
    expect(await work).toBe('done');
    expect(await backgroundWork.report()).toEqual({ busy: 0, finished: 1 });
  });

  it('background work counts work that fails as finished, and passes its failure on', async () => {
    const backgroundWork = trackBackgroundWork();
    await expect(backgroundWork.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await backgroundWork.report()).toEqual({ busy: 0, finished: 1 });
  });

  it('background work adds what waits in every backlog', async () => {
    const backgroundWork = trackBackgroundWork();
    backgroundWork.addBacklog(async () => 2);
    backgroundWork.addBacklog(async () => 3);
    expect(await backgroundWork.report()).toEqual({ busy: 5, finished: 0 });
  });

  it('background work is not idle while a backlog fails', async () => {
    const backgroundWork = trackBackgroundWork();
    backgroundWork.addBacklog(() => Promise.reject(new Error('no database')));
    expect(await backgroundWork.report()).toEqual({ busy: 1, finished: 0 });
  });
});

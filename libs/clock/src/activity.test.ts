import { describe, expect, it } from '@jest/globals';
import { trackActivity } from './activity.ts';

describe('activity', () => {
  it('counts what is under way and what was finished', async () => {
    const activity = trackActivity();
    let finish = () => {};
    const work = activity.during(() => new Promise<string>((resolve) => (finish = () => resolve('done'))));
    expect(await activity.report()).toEqual({ busy: 1, finished: 0 });
    finish();
    expect(await work).toBe('done');
    expect(await activity.report()).toEqual({ busy: 0, finished: 1 });
  });

  it('counts work that fails as finished, and passes its failure on', async () => {
    const activity = trackActivity();
    await expect(activity.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await activity.report()).toEqual({ busy: 0, finished: 1 });
  });

  it('adds what waits in every backlog', async () => {
    const activity = trackActivity();
    activity.addBacklog(async () => 2);
    activity.addBacklog(async () => 3);
    expect(await activity.report()).toEqual({ busy: 5, finished: 0 });
  });

  it('is not idle while a backlog cannot be asked', async () => {
    const activity = trackActivity();
    activity.addBacklog(() => Promise.reject(new Error('no database')));
    expect(await activity.report()).toEqual({ busy: 1, finished: 0 });
  });
});

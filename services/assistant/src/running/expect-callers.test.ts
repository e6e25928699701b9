import { expect, it, jest } from '@jest/globals';
import type { Language } from '../words/languages.ts';
import { startExpectingCallers } from './expect-callers.ts';

it('callers are expected again and again while there is an active assistant, whatever fails', async () => {
  jest.useFakeTimers();
  try {
    let languages: Language[] = [];
    const told: (readonly string[])[] = [];
    let isDown = false;
    const expecting = startExpectingCallers({
      assistants: { activeLanguages: async () => languages },
      speech: {
        async expectCallers(expected) {
          if (isDown) throw new Error('unavailable');
          told.push(expected);
        },
      },
      log: { debug: () => undefined },
    });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual([]);
    languages = ['en'];
    await jest.advanceTimersByTimeAsync(10_000);
    expect(told).toEqual([['en']]);
    isDown = true;
    await jest.advanceTimersByTimeAsync(10_000);
    isDown = false;
    languages = ['en', 'da'];
    await jest.advanceTimersByTimeAsync(10_000);
    expect(told).toEqual([['en'], ['en', 'da']]);
    await expecting.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(told).toHaveLength(2);
  } finally {
    jest.useRealTimers();
  }
});

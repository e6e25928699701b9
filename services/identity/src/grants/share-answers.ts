import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a contested answer is held back, so that requests sent in the same moment are all under way together however
 * the network spreads them. An answer nobody else waits for is not held.
 */
const HELD_MS = 250;

/**
 * Runs `work` once for requests that are the same and overlap, and gives all of them its answer. Nobody has the answer
 * before the last one who can share it has arrived, so a request that comes after an answer never shares it.
 */
export function shareAnswers<Answer>(): (request: string, work: () => Promise<Answer>) => Promise<Answer> {
  const running = new Map<string, { answer: Promise<Answer>; contested: boolean }>();
  return (request, work) => {
    const known = running.get(request);
    if (known) {
      known.contested = true;
      return known.answer;
    }
    const entry = { answer: Promise.resolve() as Promise<never>, contested: false };
    running.set(request, entry);
    entry.answer = (async () => {
      try {
        const answer = await work();
        if (entry.contested) await sleep(HELD_MS);
        return answer as never;
      } finally {
        running.delete(request);
      }
    })();
    return entry.answer;
  };
}

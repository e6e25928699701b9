import type { Engine } from './engine-library.ts';

/** Half of the eight commands that an engine runs at once: slow queries of one client leave the other half to the others. */
const SHARE_MAX = 4;

/** An engine for one of several clients: at most `most` of its commands run at once, the others wait in their order. */
export function engineShare(engine: Pick<Engine, 'roundTrip'>, most = SHARE_MAX): Pick<Engine, 'roundTrip'> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async roundTrip(message) {
      if (running < most) running++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await engine.roundTrip(message);
      } finally {
        // The place of a command that has ended is that of the next one.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, ExitCode } from '../errors.ts';

const LOOK_EVERY_MS = 200;

/** What `look` finds, as soon as it finds something. */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | undefined | false>,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<Found> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end)
      throw new CommandError(
        ExitCode.refused,
        `${what} did not happen within ${Math.round(limitMs / 1000)} s`,
        'A busy machine takes longer: --timeout <seconds>.',
      );
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

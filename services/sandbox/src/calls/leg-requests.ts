import { setTimeout as sleep } from 'node:timers/promises';
import { notFound, Refused } from '@parley/errors';
import { HttpError } from '@parley/http';
import type { Leg } from '../legs/leg.ts';
import type { TelephoneNetwork } from '../telephony/telephone-network.ts';

/** The longest time a key or a word waits for the call to be answered. */
const PATIENCE_MS = 3000;
const RETRY_MS = 20;

export const conflict = (code: string): HttpError => new HttpError(409, { error: code, code });

export function findLeg(network: TelephoneNetwork, id: string): Leg {
  const leg = network.legs.get(id);
  if (!leg) throw new Refused(notFound);
  return leg;
}

/** Retries until the leg has media. */
export async function withMedia(leg: Leg, attempt: () => boolean, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!attempt()) {
    if (leg.ended || performance.now() > deadline) throw conflict(leg.ended ? 'leg_ended' : 'leg_not_connected');
    await sleep(RETRY_MS, undefined, { signal });
  }
}

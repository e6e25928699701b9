import type { Leg } from './sandbox-client.ts';

/** Call, answer, read. */
export type TourStep = 1 | 2 | 3;

/** The next step of the tour, according to the customer's latest call. */
export function currentStep(leg: Pick<Leg, 'state' | 'heard'> | undefined): TourStep {
  if (!leg) return 1;
  const hasSpoken = leg.heard.some(({ kind }) => kind === 'party' || kind === 'voice');
  if (leg.state === 'ended') return hasSpoken || leg.heard.some(({ kind }) => kind === 'beep') ? 3 : 1;
  return hasSpoken ? 3 : 2;
}

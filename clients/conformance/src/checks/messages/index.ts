import type { Check } from '../check.ts';
import { accessChecks } from './access.ts';
import { deliveryChecks } from './deliveries.ts';
import { incomingChecks } from './incoming.ts';
import { keyChecks } from './keys.ts';
import { limitChecks } from './limits.ts';
import { retryChecks } from './retries.ts';
import { sendingChecks } from './sending.ts';

export const messageChecks: readonly Check[] = [
  ...sendingChecks,
  ...keyChecks,
  ...deliveryChecks,
  ...retryChecks,
  ...incomingChecks,
  ...accessChecks,
  ...limitChecks,
];

import type { Check } from '../check.ts';
import { attemptChecks } from './attempts.ts';
import { deliveryChecks as contentChecks } from './deliveries.ts';

export const deliveryChecks: readonly Check[] = [...contentChecks, ...attemptChecks];

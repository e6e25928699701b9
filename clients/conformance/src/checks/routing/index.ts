import type { Check } from '../check.ts';
import { flowChecks } from './flows.ts';
import { queueChecks } from './queue.ts';
import { timerChecks } from './timers.ts';

export const routingChecks: readonly Check[] = [...flowChecks, ...queueChecks, ...timerChecks];

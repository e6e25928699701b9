import type { Check } from '../check.ts';
import { flowChecks } from './flows.ts';
import { menuChecks } from './menus.ts';
import { queueChecks } from './queue.ts';
import { timerChecks } from './timers.ts';

export const routingChecks: readonly Check[] = [...flowChecks, ...menuChecks, ...queueChecks, ...timerChecks];

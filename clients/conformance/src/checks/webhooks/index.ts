import type { Check } from '../check.ts';
import { accessChecks } from './access.ts';
import { subscriptionChecks } from './subscriptions.ts';
import { validationChecks } from './validation.ts';

export const webhookChecks: readonly Check[] = [...subscriptionChecks, ...validationChecks, ...accessChecks];

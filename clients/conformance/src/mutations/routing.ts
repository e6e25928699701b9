import type { Mutation } from './mutation.ts';
import { changeField, changeSent } from './ways.ts';

const HEARD = { at: 'sandbox', method: 'GET', path: '/legs/:id' } as const;
const FULL = { areas: ['routing'], profile: 'full' } as const;

type Heard = { readonly kind: string };

export const routingMutations: readonly Mutation[] = [
  {
    id: 'routing-prompts-not-played',
    sentence: 'Callers hear no prompts.',
    ...FULL,
    where: HEARD,
    answer: changeField('heard', (heard: Heard[]) => heard.filter(({ kind }) => kind !== 'speech')),
  },
  {
    id: 'routing-no-beep',
    sentence: 'A voicemail records without a beep.',
    ...FULL,
    where: HEARD,
    answer: changeField('heard', (heard: Heard[]) => heard.filter(({ kind }) => kind !== 'beep')),
  },
  {
    id: 'routing-always-open',
    sentence: 'The business hours of a number are ignored.',
    ...FULL,
    where: { method: 'PUT', path: '/api/v1/business_numbers/:id/outside_business_hours_config' },
    request: changeSent('business_hours', (days) => (days as object[]).map((day) => ({ ...day, open: true }))),
  },
  {
    id: 'routing-ringtone-always',
    sentence: 'Callers who wait never hear music.',
    ...FULL,
    where: { at: 'operator', method: 'POST', path: '/operator/v1/companies/:id/business_numbers' },
    request: changeSent('wait_audio', () => 'ringtone'),
  },
  {
    id: 'routing-inactive-numbers-take-calls',
    sentence: 'A number that is not active takes calls.',
    ...FULL,
    where: { at: 'operator', method: 'PATCH', path: '/operator/v1/business_numbers/:id' },
    request: changeSent('active', () => true),
  },
];

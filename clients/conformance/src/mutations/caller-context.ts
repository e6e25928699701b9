import type { Mutation } from './mutation.ts';
import { changeField, json, withoutField } from './ways.ts';

const LOOK_UP = { method: 'GET', path: '/api/v1/caller_context' };

export const callerContextMutations: readonly Mutation[] = [
  {
    id: 'caller-context-missing-phone-422',
    sentence: 'A missing phone number is answered with 422.',
    areas: ['caller-context'],
    profile: 'api',
    where: LOOK_UP,
    answer: (answer) => (answer.status === 400 ? { ...answer, status: 422 } : answer),
  },
  {
    id: 'caller-context-none-not-found',
    sentence: 'A number of which nothing is known is answered with 404.',
    areas: ['caller-context'],
    profile: 'api',
    where: LOOK_UP,
    answer: (answer) => {
      const { contexts, contact } = answer.body as { contexts?: unknown[]; contact?: unknown };
      return contexts?.length === 0 && contact === null ? json(404, { error: 'not_found' }) : answer;
    },
  },
  {
    id: 'caller-context-without-sections',
    sentence: 'The contexts have no sections.',
    areas: ['caller-context'],
    profile: 'full',
    where: LOOK_UP,
    answer: withoutField('sections'),
  },
  {
    id: 'caller-context-dated-without-provider',
    sentence: 'A caller context says when it was looked up although nobody was asked.',
    areas: ['caller-context'],
    profile: 'full',
    where: LOOK_UP,
    answer: changeField('enriched_at', (at) => at ?? new Date().toISOString()),
  },
];

import type { Mutation } from './mutation.ts';
import { acceptedInstead, changeField, changeSent, json } from './ways.ts';

const SEND = { method: 'POST', path: '/api/v1/business_numbers/:id/messages' };
const SETTINGS = { method: 'GET', path: '/api/v1/business_numbers/:id/texting_settings' };
const CHANGE_SETTINGS = { method: 'PATCH', path: '/api/v1/business_numbers/:id/texting_settings' };
const TEXTING = { areas: ['texting'], profile: 'full' } as const;

export const textingMutations: readonly Mutation[] = [
  {
    id: 'texting-default-cooldown-of-an-hour',
    sentence: 'The cooldown is an hour unless it is set.',
    ...TEXTING,
    where: SETTINGS,
    answer: changeField('auto_reply_cooldown_minutes', (minutes) => (minutes === 1440 ? 60 : minutes)),
  },
  {
    id: 'texting-short-cooldown-raised',
    sentence: 'A cooldown that is too short is raised instead of refused.',
    ...TEXTING,
    where: CHANGE_SETTINGS,
    request: changeSent('auto_reply_cooldown_minutes', (minutes) =>
      typeof minutes === 'number' ? Math.max(60, minutes) : minutes,
    ),
  },
  {
    id: 'texting-opt-out-ignored',
    sentence: 'Who opted out is texted.',
    ...TEXTING,
    where: SEND,
    answer: (answer, { request }) =>
      (answer.body as { code?: string }).code === 'recipient_opted_out' ? json(201, request.body) : answer,
  },
  {
    id: 'texting-settings-without-texting',
    sentence: 'Texting settings are shown although the company may not text.',
    ...TEXTING,
    where: SETTINGS,
    answer: acceptedInstead(404, 200, () => ({
      auto_reply_enabled: false,
      auto_reply_text: null,
      auto_reply_cooldown_minutes: 1440,
    })),
  },
];

import { expect, it } from '@jest/globals';
import { choicesOf, enabledOf } from './notification-settings.ts';

const off = { email: false, push: false };

it('every notification is off at first', () => {
  expect(choicesOf(undefined)).toEqual({ missed_call: off, voicemail: off, text: off, assigned: off, assistant: off });
});

it('stored notification settings give the choices back', () => {
  const choices = {
    ...choicesOf(undefined),
    voicemail: { email: true, push: false },
    assigned: { email: true, push: true },
  };
  expect(enabledOf(choices)).toEqual(['voicemail/email', 'assigned/email', 'assigned/push']);
  expect(choicesOf({ enabled: enabledOf(choices) })).toEqual(choices);
});

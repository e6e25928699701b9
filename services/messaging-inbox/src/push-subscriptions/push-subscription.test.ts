import { expect, it } from '@jest/globals';
import {
  addSubscription,
  type EmployeePushSubscriptions,
  endSubscriptions,
  type PushSubscription,
} from './push-subscription.ts';

const at = (secs: number) => new Date(Date.parse('2030-01-01T12:00:00Z') + secs * 1000);
const none: EmployeePushSubscriptions = { id: 'emp_1', companyId: 'com_1', subscriptions: [] };
const browser = (name: string, session: string, secs = 0): PushSubscription => ({
  id: `psh_${name}_${session}`,
  endpointDigest: name,
  encryptedTarget: name,
  publicKey: 'key',
  language: 'en',
  name: 'Firefox on Windows',
  madeWith: { credentialType: 'session', credentialId: session },
  createdAt: at(secs),
});
const add = (current: EmployeePushSubscriptions, added: PushSubscription): EmployeePushSubscriptions => {
  const decision = addSubscription(current, added);
  if (!decision.ok) throw new Error('refused');
  return decision.state;
};
const one = add(none, browser('a', 'ses_1'));

it('a browser that is added again keeps its id, and ends with the new session instead of the old one', () => {
  const again = add(one, browser('a', 'ses_2', 60));
  expect(again.subscriptions).toMatchObject([{ id: 'psh_a_ses_1', createdAt: at(60) }]);
  expect(endSubscriptions(again, { what: 'one', credentialId: 'ses_1' })).toMatchObject({ state: again });
  expect(endSubscriptions(again, { what: 'sessions', at: at(59) })).toMatchObject({ state: again });
  expect(endSubscriptions(again, { what: 'sessions', at: at(60) })).toMatchObject({ state: null });
});

it('a browser that is added again unchanged writes nothing', () => {
  expect(add(one, browser('a', 'ses_1', 60))).toBe(one);
});

it('a key may add many browsers, a session one', () => {
  const madeWith = { credentialType: 'api_key', credentialId: 'key_1' } as const;
  const two = add(add(none, { ...browser('a', ''), madeWith }), { ...browser('b', ''), madeWith });
  expect(two.subscriptions.length).toBe(2);
  expect(add(one, browser('b', 'ses_1')).subscriptions).toMatchObject([{ id: 'psh_a_ses_1', endpointDigest: 'b' }]);
});

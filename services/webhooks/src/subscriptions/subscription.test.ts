import { describe, expect, it } from '@jest/globals';
import { eventTypes } from '@parley/public-json';
import {
  adjustToClock,
  createSubscription,
  deleteSubscription,
  eventNameFor,
  isEventName,
  matchingEventName,
  rotateSecret,
  signingSecrets,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionFields,
  updateSubscription,
} from './subscription.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const good = (text: string) => ({ text, problem: null });
const bad = (text: string, problem: string) => ({ text, problem });
const fields: SubscriptionFields = { name: 'CRM', url: good('https://example.com/hook'), events: ['contact.created'] };

const create = (change: Partial<SubscriptionFields> = {}) =>
  createSubscription(
    {
      id: 'whk_1',
      companyId: 'com_1',
      createdOrder: 7,
      fields: { ...fields, ...change },
      active: true,
      encryptedSecret: 's0',
    },
    now,
  );

function state(decision: ReturnType<typeof create>): Subscription {
  if (!decision.ok) throw new Error(decision.refusal.message);
  return decision.state;
}

const subscription = state(create());
const update = (change: SubscriptionChange, at = later(1)) => updateSubscription(subscription, change, at);

/** Invalid changes with the problems of their fields. */
const wrong: [SubscriptionChange, Record<string, string[]>][] = [
  [{ name: '' }, { name: ['must not be blank'] }],
  [{ name: ' \n ' }, { name: ['must not be blank'] }],
  [{ name: 'x'.repeat(129) }, { name: ['is too long (maximum is 128 characters)'] }],
  [{ url: bad('', 'is not a valid URL') }, { url: ['is not a valid URL'] }],
  [{ url: bad('http://a.com', 'must be an https URL') }, { url: ['must be an https URL'] }],
  [{ url: bad('https://10.0.0.1', 'must be a public address') }, { url: ['must be a public address'] }],
  [{ events: [] }, { events: ['must have at least 1 item'] }],
  [{ events: ['contact.created', 'nonsense'] }, { 'events[1]': ['is not a known event type'] }],
  [{ events: ['webhook.test'] }, { 'events[0]': ['is not a known event type'] }],
  [{ events: Array(101).fill('nonsense') }, { events: ['must have at most 100 items'] }],
  [
    { name: '', url: bad('x', 'is not a valid URL'), events: ['x'] },
    { name: ['must not be blank'], url: ['is not a valid URL'], 'events[0]': ['is not a known event type'] },
  ],
];

describe('creating a subscription', () => {
  it('creating a subscription makes it active, with one secret that signs', () => {
    expect(subscription).toEqual({
      id: 'whk_1',
      companyId: 'com_1',
      name: 'CRM',
      url: 'https://example.com/hook',
      events: ['contact.created'],
      active: true,
      suspended: false,
      secrets: [{ encrypted: 's0', signsUntil: null }],
      createdAt: now,
      updatedAt: now,
      createdOrder: 7,
      eventsFrom: now,
    });
  });

  it('creating a subscription takes every event once, by the name that was used', () => {
    const events = ['call.outside_opening_hours', 'call.ended', 'call.outside_opening_hours'];
    expect(state(create({ events })).events).toEqual(['call.outside_opening_hours', 'call.ended']);
  });

  it.each(wrong)('creating a subscription refuses %j', (change, problems) => {
    expect(create(change)).toMatchObject({ ok: false, refusal: { code: 'validation_failed', fields: problems } });
  });
});

describe('updating a subscription', () => {
  it.each<[SubscriptionChange, Partial<Subscription>]>([
    [{}, {}],
    [{ name: 'ERP' }, { name: 'ERP' }],
    [{ url: good('https://b.com') }, { url: 'https://b.com' }],
    [{ events: ['call.ended', 'call.ended'] }, { events: ['call.ended'] }],
    [{ active: false }, { active: false }],
  ])('updating a subscription with %j changes exactly that', (change, changed) => {
    expect(state(update(change))).toEqual({ ...subscription, ...changed, updatedAt: later(1) });
  });

  it.each(wrong)('updating a subscription with %j is refused', (change, problems) => {
    expect(update(change)).toMatchObject({ ok: false, refusal: { code: 'validation_failed', fields: problems } });
  });
});

describe('rotating the secret', () => {
  const rotated = state(rotateSecret(subscription, 's1', now));

  it.each([
    [0, ['s1', 's0']],
    [23.999, ['s1', 's0']],
    [24, ['s1']],
    [1_000, ['s1']],
  ])('the secrets that sign %s hours after a rotation are %j', (hours, secrets) => {
    expect(signingSecrets(rotated, later(hours))).toEqual(secrets);
  });

  it('rotating the secret twice in a day leaves each former secret its own day', () => {
    const twice = state(rotateSecret(rotated, 's2', later(10)));
    expect(signingSecrets(twice, later(10))).toEqual(['s2', 's1', 's0']);
    expect(signingSecrets(twice, later(30))).toEqual(['s2', 's1']);
    expect(signingSecrets(twice, later(34))).toEqual(['s2']);
  });

  it('rotating the secret removes secrets that no longer sign', () => {
    expect(state(rotateSecret(rotated, 's2', later(48))).secrets).toEqual([
      { encrypted: 's2', signsUntil: null },
      { encrypted: 's1', signsUntil: later(72) },
    ]);
  });

  it('rotating the secret many times leaves a bounded number of signatures', () => {
    let many = subscription;
    for (let n = 1; n <= 50; n += 1) many = state(rotateSecret(many, `s${n}`, now));
    expect(signingSecrets(many, now)).toEqual(['s50', 's49', 's48', 's47', 's46', 's45']);
  });
});

describe('hearing of an event', () => {
  it('hearing of an event needs the event type to be listed, and the event not to be older than the subscription', () => {
    expect(eventNameFor(subscription, 'contact.created', now)).toBe('contact.created');
    expect(eventNameFor(subscription, 'contact.created', later(1))).toBe('contact.created');
    expect(eventNameFor(subscription, 'contact.created', later(-1))).toBeNull();
    expect(eventNameFor(subscription, 'contact.updated', later(1))).toBeNull();
  });

  it('hearing of an event continues under the former name', () => {
    const old = state(create({ events: ['call.outside_opening_hours'] }));
    expect(eventNameFor(old, 'call.outside_business_hours', later(1))).toBe('call.outside_opening_hours');
  });
});

describe('adjusting a subscription to a clock that went back', () => {
  it('adjusting a subscription to a clock that went back makes it no younger than now, and lets former secrets sign for a day at most', () => {
    const rotated = state(rotateSecret(subscription, 's1', later(48)));
    const adjusted = adjustToClock(rotated, later(-1));
    expect(adjusted.eventsFrom).toEqual(later(-1));
    expect(adjusted.secrets).toEqual([
      { encrypted: 's1', signsUntil: null },
      { encrypted: 's0', signsUntil: later(23) },
    ]);
  });

  it('adjusting a subscription to a clock that went back leaves it as it is otherwise', () => {
    expect(adjustToClock(subscription, later(1))).toEqual(subscription);
  });
});

describe('the audit entries of a subscription', () => {
  const entriesOf = (decision: ReturnType<typeof update> | ReturnType<typeof deleteSubscription>) =>
    decision.ok ? decision.events.map(({ audit }) => audit) : [];
  const object = { type: 'webhook', id: 'whk_1', name: 'CRM' };

  it('the audit entries of a subscription say what it was created with, and of the URL neither credentials nor query', () => {
    const url = good('https://user:pass@example.com:8443/hook?token=hush#hush');
    expect(entriesOf(create({ url }))).toEqual([
      {
        type: 'webhook.created',
        object,
        changes: {
          name: { from: null, to: 'CRM' },
          url: { from: null, to: 'https://example.com:8443/hook' },
          events: { from: null, to: ['contact.created'] },
          active: { from: null, to: true },
        },
      },
    ]);
  });

  it('the audit entries of a subscription say what has changed, also when it is only the query, and nothing when nothing has', () => {
    expect(entriesOf(update({ active: false, name: 'CRM' }))).toEqual([
      { type: 'webhook.updated', object, changes: { active: { from: true, to: false } } },
    ]);
    const shown = 'https://example.com/hook';
    expect(entriesOf(update({ url: good('https://example.com/hook?token=hush') }))).toEqual([
      { type: 'webhook.updated', object, changes: { url: { from: shown, to: shown } } },
    ]);
    expect(entriesOf(update({ name: 'CRM', active: true }))).toEqual([]);
  });

  it('the audit entries of a subscription do not contain secrets', () => {
    const rotation = rotateSecret(subscription, 's1', now);
    expect(entriesOf(rotation)).toEqual([{ type: 'webhook.secret_rotated', object, changes: {} }]);
    expect(entriesOf(rotateSecret(state(rotation), 's1', now))).toEqual([]);
    expect(entriesOf(deleteSubscription(subscription))).toMatchObject([{ type: 'webhook.deleted', object }]);
    expect(JSON.stringify(entriesOf(deleteSubscription(subscription)))).not.toContain('s0');
  });
});

describe('event names', () => {
  it.each([...eventTypes, 'call.outside_opening_hours'])('event names include %s', (name) => {
    expect(isEventName(name)).toBe(true);
  });

  it.each(['', '*', 'call', 'call.*', 'Call.Ended', 'call.ended ', 'webhook.test', 'toString', '__proto__'])(
    'event names do not include %j',
    (name) => {
      expect(isEventName(name)).toBe(false);
    },
  );

  it.each([
    [['call.ended'], 'call.ended', 'call.ended'],
    [['call.lost'], 'call.ended', null],
    [[], 'call.ended', null],
    [['call.outside_business_hours'], 'call.outside_business_hours', 'call.outside_business_hours'],
    [['call.outside_opening_hours'], 'call.outside_business_hours', 'call.outside_opening_hours'],
    [
      ['call.outside_opening_hours', 'call.outside_business_hours'],
      'call.outside_business_hours',
      'call.outside_business_hours',
    ],
  ] as const)('a subscription to %j gets %s as %s', (names, type, expected) => {
    expect(matchingEventName(names, type)).toBe(expected);
  });
});

import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { EndedCredentials } from '@parley/proto/identity/v1/credential_events_pb';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import { PushSubscriptionService } from '@parley/proto/messaging_inbox/v1/push_subscriptions_pb';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import type { EmployeePrincipal, RpcClient } from '@parley/rpc';
import { documentQueryPlan, waitUntil } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import {
  ANE,
  bo,
  companyId,
  createCompany,
  enable,
  eva,
  number,
  parley,
  PUSH,
  refusedWith,
  useNotificationFixture,
} from './notification-fixture.ts';
import { receivedEvent } from './test-provider.ts';

const BEN = '+4520304051';

let subscriptions: RpcClient<typeof PushSubscriptionService>;
/** Names of browsers are unique: they outlive a test. */
let browser: string;

useNotificationFixture();
beforeAll(() => {
  subscriptions = parley.replicas[1].client(PushSubscriptionService);
});
beforeEach(async () => {
  browser = newId('browser');
  await enable(eva, { text: PUSH });
});

const inSession = (id: string): { as: EmployeePrincipal } => ({
  as: { ...asEmployee(companyId, eva.id, id).as, credentialType: 'session' },
});
const subscribe = (name = browser, session = newId('ses'), language = 'en') =>
  subscriptions.createPushSubscription(
    { ...parley.pushService.subscribe(name), language, name: 'Chrome on Linux' },
    inSession(session),
  );
const list = async (session = '') =>
  (await subscriptions.listPushSubscriptions({}, inSession(session))).pushSubscriptions;
const receive = (from = ANE) =>
  parley.replicas[0]
    .client(ProviderCallbackService)
    .receiveCallback(parley.provider.callback(receivedEvent({ from, to: number.number, text: 'A secret' })));
const pushesTo = (name = browser) => parley.pushService.received.filter((push) => push.browser === name);
const wait = (condition: () => boolean | Promise<boolean>, what: string) =>
  waitUntil(condition, { what, timeoutMs: 60_000 });
const pushed = (count: number, name = browser) => wait(() => pushesTo(name).length === count, `${count} messages`);
/** Waits until so many browsers are left. */
const left = (count: number) => wait(async () => (await list()).length === count, `${count} browsers`);

describe('a push message', () => {
  it('a push message tells what happened and where, encrypted for the browser and signed, and nothing of the text', async () => {
    await subscribe(browser, newId('ses'), 'da');
    await receive();
    await pushed(1);
    const [push] = pushesTo();
    expect(push!.payload).toEqual({
      type: 'text',
      title: 'Ny sms',
      body: `${ANE} · ${number.name}`,
      phone_number: ANE,
      at: expect.any(String),
    });
    const { publicKey } = await subscriptions.listPushSubscriptions({}, inSession(''));
    expect(push!.claims).toMatchObject({
      aud: parley.pushService.url,
      sub: 'https://parley.example',
      key: publicKey,
    });
    expect(push!.headers).toMatchObject({ urgency: 'high', 'content-encoding': 'aes128gcm' });
    const ttl = Number(push!.headers['ttl']);
    expect([ttl > 86_000, ttl <= 86_400]).toEqual([true, true]);
  });

  it('a push message has one topic for each thread, and goes to every browser', async () => {
    const other = newId('browser');
    await Promise.all([subscribe(), subscribe(other)]);
    await receive();
    await Promise.all([pushed(1), pushed(1, other)]);
    await receive();
    await pushed(2);
    await receive(BEN);
    await Promise.all([pushed(3), pushed(3, other)]);
    const [first, second, third] = pushesTo().map(({ headers }) => headers['topic']);
    expect(first).toMatch(/^[\w-]{32}$/);
    expect([second === first, third === first]).toEqual([true, false]);
    expect(pushesTo(other)[0]!.headers['topic']).not.toBe(first);
  });

  it('a push message is of the kinds that are enabled: a call with a voicemail is one of the two', async () => {
    await enable(eva, { missedCall: PUSH });
    await subscribe();
    const id = newId('vm');
    const voicemail = { id, companyId, callId: newId('cal'), from: ANE, mainNumberId: number.id };
    const stored = { voicemail: { ...voicemail, createdAt: timestampFromDate(new Date()) } };
    await parley.publish('call-control.voicemail.created', stored, { companyId, aggregateId: id });
    await pushed(1);
    await receive();
    await enable(eva, { voicemail: PUSH, missedCall: PUSH });
    const again = newId('vm');
    const other = { voicemail: { ...stored.voicemail, id: again, callId: newId('cal') } };
    await parley.publish('call-control.voicemail.created', other, { companyId, aggregateId: again });
    await pushed(2);
    expect(pushesTo().map(({ payload }) => payload['type'])).toEqual(['missed_call', 'voicemail']);
    expect(parley.mails.sent.filter(({ employeeId }) => employeeId === eva.id)).toEqual([]);
  });

  it('a push message is repeated while the push service fails; what is newer replaces it', async () => {
    await subscribe();
    parley.pushService.answer(browser, 503);
    await receive();
    await receive(BEN);
    await wait(() => parley.pushService.requests(browser) >= 3, 'a repetition');
    await receive();
    await wait(async () => (await plannedFor(ANE)).known.length === 2, 'the second plan');
    parley.pushService.answer(browser, 201);
    await parley.moveClock(600);
    await wait(async () => (await pending()) === 0, 'everything to be sent');
    expect(
      pushesTo()
        .map(({ payload }) => payload['phone_number'])
        .toSorted(),
    ).toEqual([ANE, BEN]);
    expect((await list()).length).toBe(1);
  });

  it('a push message is given up after a day, and its plan removed', async () => {
    await subscribe();
    parley.pushService.answer(browser, 500);
    await receive();
    await wait(() => parley.pushService.requests(browser) > 0, 'an attempt');
    await parley.moveClock(24 * 3600 + 60);
    const plans = () => parley.db.collection('thread_pushes').countDocuments({ companyId });
    await wait(async () => (await plans()) === 0, 'the plan to be removed');
    expect(pushesTo()).toEqual([]);
  });

  it('a push message of another company is sent while addresses of a company hang, which has few of the places', async () => {
    const hanging = Array.from({ length: 20 }, () => newId('browser'));
    for (const name of hanging) {
      await subscribe(name);
      parley.pushService.answer(name, 'hang');
    }
    const asked = () => hanging.reduce((sum, name) => sum + parley.pushService.requests(name), 0);
    // More than there are places in both replicas.
    for (let thread = 0; thread < 5; thread++) await receive(`+452030406${thread}`);
    await wait(() => asked() >= 4, 'requests that hang');
    createCompany();
    await enable(eva, { text: PUSH });
    await subscribe();
    await receive();
    await pushed(1);
    // Four in each of two replicas.
    expect(asked()).toBeLessThanOrEqual(8);
    for (const name of hanging) parley.pushService.answer(name, 410);
  });

  it('a push message about a person who is erased is not sent', async () => {
    await subscribe();
    parley.pushService.answer(browser, 500);
    await receive();
    await wait(() => parley.pushService.requests(browser) > 0, 'an attempt');
    const personalData = parley.as('directory').client(PersonalDataService);
    const before = timestampFromDate(new Date(Date.now() + 1000));
    for (let position = ''; ;) {
      const portion = { companyId, phoneNumber: ANE, erasureId: 'era_1', before, position };
      const answer = await personalData.erasePerson(portion);
      if (answer.done) break;
      ({ position } = answer);
    }
    parley.pushService.answer(browser, 201);
    await parley.moveClock(600);
    await wait(async () => (await pending()) === 0, 'nothing to be planned');
    expect(pushesTo()).toEqual([]);
  });
});

describe('a push subscription', () => {
  it.each([404, 410])('a push subscription is removed when the push service answers %d', async (status) => {
    await subscribe();
    parley.pushService.answer(browser, status);
    await receive();
    await left(0);
    expect(parley.pushService.requests(browser)).toBe(1);
  });

  it('a push subscription ends with the session it was made with, and no other does', async () => {
    const [session, other] = [newId('ses'), newId('browser')];
    await Promise.all([subscribe(browser, session), subscribe(other)]);
    await revoke({ credentialId: session, ended: EndedCredentials.ONE });
    await left(1);
    await receive();
    await pushed(1, other);
    expect(parley.pushService.requests(browser)).toBe(0);
    await revoke({ ended: EndedCredentials.SESSIONS });
    await left(0);
  });

  it('a push subscription whose session has expired gets nothing and is removed', async () => {
    const session = newId('ses');
    await subscribe(browser, session);
    parley.credentials.expire(session);
    await receive();
    await left(0);
    expect(parley.pushService.requests(browser)).toBe(0);
  });

  it('a push subscription is one for each browser and session, and at most 20 of an employee', async () => {
    const session = newId('ses');
    const given = { ...parley.pushService.subscribe(browser), language: 'en', name: 'Chrome on Linux' };
    const first = await subscriptions.createPushSubscription(given, inSession(session));
    const again = await subscriptions.createPushSubscription(given, inSession(session));
    expect(again).toEqual(first);
    const replaced = await subscribe(newId('browser'), session);
    expect(replaced.pushSubscription!.id).toBe(first.pushSubscription!.id);
    expect(await list(session)).toMatchObject([{ name: 'Chrome on Linux', current: true }]);
    for (let count = 0; count < 20; count += 1) await subscribe(newId('browser'));
    const all = await list();
    expect([all.length, all.some(({ id }) => id === first.pushSubscription!.id)]).toEqual([20, false]);
  });

  it('a push subscription is only the employee’s own', async () => {
    const { pushSubscription } = await subscribe();
    const other = asEmployee(companyId, bo.id);
    const id = pushSubscription!.id;
    expect((await subscriptions.listPushSubscriptions({}, other)).pushSubscriptions).toEqual([]);
    await expect(subscriptions.deletePushSubscription({ id }, other)).rejects.toEqual(refusedWith('not_found'));
    await subscriptions.deletePushSubscription({ id }, inSession(''));
    await expect(subscriptions.deletePushSubscription({ id }, inSession(''))).rejects.toEqual(refusedWith('not_found'));
    expect(await list()).toEqual([]);
  });

  it.each([
    ['an address without TLS', { endpoint: 'http://push.example.com/1' }],
    ['an internal address', { endpoint: 'https://10.0.0.1/1' }],
    ['a key that is no point of the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['a short key', { p256dh: 'BA' }],
    ['a short secret', { auth: 'AAAA' }],
  ])('a push subscription is refused with %s', async (_case, change) => {
    const given = { ...parley.pushService.subscribe(browser), ...change };
    await expect(subscriptions.createPushSubscription(given, inSession('ses_1'))).rejects.toEqual(
      refusedWith('validation_failed'),
    );
  });

  it('a push subscription is stored without its address and keys, and the private key encrypted', async () => {
    const given = parley.pushService.subscribe(browser);
    await subscriptions.createPushSubscription({ ...given, language: 'en', name: 'Safari' }, inSession('ses_1'));
    const stored = JSON.stringify(await parley.db.collection('push_subscriptions').find({ companyId }).toArray());
    for (const secret of [given.endpoint, given.auth, given.p256dh]) expect(stored).not.toContain(secret);
    const keys = await parley.db.collection('push_keys').find().toArray();
    expect(keys).toMatchObject([{ encryptedPrivateKey: expect.stringMatching(/^v1\./) }]);
  });

  it('push subscriptions and plans about a person are found by an index', async () => {
    const plan = await documentQueryPlan(parley.db, 'thread_pushes', { companyId, phone: ANE }, { sort: { phone: 1 } });
    expect(plan).toMatchObject({ index: 'company_phone', isUnindexed: false });
    const filter = { companyId, enabled: { $in: ['text/email', 'text/push'] } };
    const settings = await documentQueryPlan(parley.db, 'notification_settings', filter);
    expect(settings).toMatchObject({ index: 'company_enabled', isUnindexed: false });
  });
});

const revoke = (ended: { credentialId?: string; ended: EndedCredentials }) =>
  parley.publish(
    'identity.credential.revoked',
    { credentialId: '', employeeId: eva.id, ...ended },
    { companyId, aggregateId: newId('ses') },
  );
const plannedFor = async (phone: string) =>
  (await parley.db.collection('thread_pushes').findOne({ companyId, phone })) as unknown as { known: string[] };
/** Plans with a message that is not sent yet. */
const pending = () =>
  parley.db.collection('thread_pushes').countDocuments({ companyId, '_commands.0': { $exists: true } });

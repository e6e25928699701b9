import { trackBackgroundWork } from '@parley/clock';
import { startTelemetry } from '@parley/telemetry';
import { type OwnNats, ownNats, testMongo, waitUntil } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contactEvent } from '../../test/start-follower.ts';
import { type Broker, connectBroker, type Event, natsPermissions, natsServices, startFollower } from '../index.ts';

const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
const { log } = telemetry;
const users = natsServices.map((service) => ({
  user: service,
  password: `${service} secret`,
  permissions: natsPermissions(service),
}));
const mongo = testMongo();
const db = mongo.database('permissions');
const open: Broker[] = [];
let nats: OwnNats;

beforeAll(async () => {
  nats = await ownNats(users);
  const directory = await as('directory');
  await directory.ensureStream('directory');
});

afterAll(async () => {
  await Promise.all(open.map((broker) => broker.close()));
  await nats.close();
  await mongo.close();
  await telemetry.stop();
});

/** A connection as a service has it. */
async function as(service: string): Promise<Broker> {
  const broker = await connectBroker({
    url: nats.url,
    user: service,
    password: `${service} secret`,
    name: service,
    log,
  });
  open.push(broker);
  return broker;
}

/** The error of NATS for an attempt; undefined when it is allowed. */
async function refusalOf(broker: Broker, attempt: () => unknown): Promise<string | undefined> {
  const status = broker.connection.status();
  const refused = (async () => {
    for await (const one of status) if (one.type === 'error') return one.error.message;
    return undefined;
  })();
  await Promise.resolve(attempt()).catch(() => undefined);
  await broker.connection.flush();
  return Promise.race([refused, broker.connection.flush().then(() => undefined)]);
}

describe('the users of NATS', () => {
  it('the permissions of NATS allow events of a service to reach the replicas of its follower', async () => {
    const applied: string[] = [];
    const note = async (_message: unknown, event: Event) => void applied.push(event.aggregateId);
    const handlers = { 'directory.contact.created': note };
    const options = { name: 'webhooks-fanout', db, handlers, backgroundWork: trackBackgroundWork(), telemetry };
    const followers = await Promise.all([
      startFollower({ ...options, broker: await as('webhooks') }),
      startFollower({ ...options, broker: await as('webhooks') }),
    ]);
    const directory = await as('directory');
    const ids = Array.from({ length: 20 }, (_, i) => `con_${i}`);
    for (const id of ids) await directory.publish(contactEvent(id, 1));
    await waitUntil(() => applied.length >= ids.length, { what: 'the events' });
    expect(applied.toSorted()).toEqual(ids.toSorted());
    await Promise.all(followers.map((follower) => follower.stop()));
  });

  it('the users of NATS may not publish events of another service', async () => {
    const webhooks = await as('webhooks');
    const publish = () => webhooks.connection.publish(webhooks.eventSubject(contactEvent('con_1', 2)), 'forged');
    expect(await refusalOf(webhooks, publish)).toContain('Permissions Violation for Publish to "parley.directory.');
    const revoke = () => webhooks.connection.publish('parley.identity.3.credential.revoked', 'forged');
    expect(await refusalOf(webhooks, revoke)).toContain('Permissions Violation');
    const info = await (await as('directory')).manager.streams.info('parley-directory');
    expect(info.state.messages).toBe(20);
  });

  it('the users of NATS may not publish at all when they only listen', async () => {
    const gateway = await as('gateway');
    const publish = () => gateway.connection.publish('parley.live.com_1', '{}');
    expect(await refusalOf(gateway, publish)).toContain('Permissions Violation for Publish to "parley.live.com_1"');
  });

  it('the users of NATS may not read the stream of a service they do not follow, nor change the stream of one they follow', async () => {
    const directory = await as('directory');
    const read = () => directory.manager.streams.info('parley-webhooks');
    expect(await refusalOf(directory, read)).toContain('STREAM.INFO.parley-webhooks');
    const webhooks = await as('webhooks');
    const change = () => webhooks.manager.streams.update('parley-directory', { max_msgs: 1 });
    expect(await refusalOf(webhooks, change)).toContain('Permissions Violation');
    const remove = () => webhooks.manager.streams.delete('parley-directory');
    expect(await refusalOf(webhooks, remove)).toContain('Permissions Violation');
    const list = () => webhooks.manager.consumers.list('parley-directory').next();
    expect(await refusalOf(webhooks, list)).toContain('Permissions Violation');
  });

  it('the users of NATS may not listen to what is not for them', async () => {
    const gateway = await as('gateway');
    const listen = (subject: string) => () => void gateway.connection.subscribe(subject, { callback: () => {} });
    expect(await refusalOf(gateway, listen('parley.>'))).toContain('Permissions Violation for Subscription');
    expect(await refusalOf(gateway, listen('_INBOX.>'))).toContain('Permissions Violation for Subscription');
    expect(await refusalOf(gateway, listen('_INBOX.directory.>'))).toContain('Permissions Violation');
    expect(await refusalOf(gateway, listen('parley.identity.*.credential.revoked'))).toBeUndefined();
    expect(await refusalOf(gateway, listen('parley.live.*'))).toBeUndefined();
  });

  it('the users of NATS may move the clock only where there is a sandbox, and only as the sandbox', () => {
    const subjects = (service: string, testClock: boolean) => natsPermissions(service, { testClock }).publish;
    expect(natsServices.flatMap((service) => subjects(service, false)).join()).not.toContain('test-clock');
    expect(natsServices.filter((service) => subjects(service, true).includes('parley.test-clock.set'))).toEqual([
      'sandbox',
    ]);
  });
});

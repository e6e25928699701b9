import { type Actor, type AuditEntry, runAs } from '@parley/actor';
import { decided, dueIn } from '@parley/errors';
import { decodeEvent, type Event } from '@parley/events';
import { waitUntil } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { changed, newContact, numbers } from '../../test/start-outbox.ts';
import { openAggregates } from '../aggregates/aggregates.ts';
import { newTask, note, startTasks } from '../../test/start-tasks.ts';

let fixture: Awaited<ReturnType<typeof startTasks>>;
beforeEach(async () => void (fixture = await startTasks()));
afterEach(async () => {
  await fixture.stopProcesses();
  await fixture.end();
});

const actor = (n: number): Actor => ({
  type: 'employee',
  id: `emp_${n}`,
  name: `$name.${n}`,
  credential: { type: 'api_key', id: `key_${n}`, name: 'Webshop' },
  requestId: `req_${n}`,
});

/** The events of an aggregate in the order of their numbers, when there are so many. */
async function eventsOf(id: string, count: number): Promise<Event[]> {
  const log = fixture.db.collection<{ _id: string; envelope: { buffer: Uint8Array } }>('event_log');
  const found = async () =>
    (await log.find().toArray())
      .map(({ envelope }) => decodeEvent(envelope.buffer))
      .filter(({ aggregateId }) => aggregateId === id);
  await waitUntil(async () => (await found()).length >= count, { what: `${count} events` });
  return (await found()).toSorted((one, other) => one.aggregateSequence - other.aggregateSequence);
}

const self: Actor = { type: 'system', id: 'directory', name: 'directory' };

describe('the actor of an event', () => {
  it('the actor of an event is that of the request that wrote it, among many that are written together', async () => {
    const contacts = numbers(40).map((n) => ({ n, contact: newContact() }));
    await Promise.all(
      contacts.map(({ n, contact }) =>
        runAs(actor(n), () => fixture.contacts.of('com_1').create(decided(contact, ['created']))),
      ),
    );
    const [{ contact: shared }] = contacts as [(typeof contacts)[0]];
    await Promise.all(
      contacts.flatMap(({ n, contact }) => [
        runAs(actor(n + 100), () => fixture.contacts.of('com_1').change(contact.id, changed)),
        ...(n > 1 ? [runAs(actor(n + 200), () => fixture.contacts.of('com_1').change(shared.id, changed))] : []),
      ]),
    );
    for (const { n, contact } of contacts.slice(1)) {
      expect((await eventsOf(contact.id, 2)).map((event) => event.actor)).toEqual([actor(n), actor(n + 100)]);
    }
    const ids = (await eventsOf(shared.id, 41)).map((event) => event.actor?.id);
    expect(new Set(ids)).toEqual(new Set([1, 101, ...numbers(39).map((n) => n + 201)].map((n) => `emp_${n}`)));
  });

  it('the actor of an event is the service itself outside of a request', async () => {
    const contact = newContact();
    await fixture.contacts.of('com_1').create(decided(contact, ['created']));
    expect((await eventsOf(contact.id, 1))[0]?.actor).toEqual(self);
  });

  it('the actor of an event is the service itself for what timers and commands of a request cause', async () => {
    const { tasks } = await fixture.startProcess();
    const none = { guarantee: 'until_confirmed', execute: async () => 'x' } as const;
    const commands = tasks.startCommands<{ mail: string; dial: string; play: string }>({
      mail: { ...none, settle: (task) => note(task, 'sent') },
      dial: none,
      play: none,
    });
    const fire = (task: Parameters<typeof note>[0]) => note(task, 'fired');
    const timers = tasks.startTimers({ first: fire, second: fire, failing: fire });
    const task = newTask();
    const effects = {
      commands: [{ kind: 'mail', text: 'x' }] as const,
      timers: { first: dueIn(fixture.clock.now(), 20) },
    };
    await runAs(actor(1), () => tasks.of('com_1').create(decided(task, ['changed'] as const, effects)));
    const events = await eventsOf(task.id, 3);
    expect(events.map((event) => event.actor)).toEqual([actor(1), self, self]);
    await Promise.all([commands.stop(), timers.stop()]);
  });
});

describe('the audit entry of an event', () => {
  it('the audit entry of an event is published with it as it was decided', async () => {
    const { relay } = await fixture.startReplica();
    const audit: AuditEntry = {
      type: 'company.updated',
      object: { type: 'task', id: 'tsk_1', name: '$x' },
      changes: { 'a.b': { from: null, to: ['$c', { $d: 1 }] } },
    };
    const audited = await openAggregates<ReturnType<typeof newTask>, { type: 'changed'; audit?: AuditEntry }>({
      db: fixture.db,
      collection: 'audited',
      relay,
      clock: fixture.clock,
      encode: ({ type }) => ({ type: `directory.task.${type}`, data: new Uint8Array([1]) }),
    });
    const task = newTask();
    await audited.of('com_1').create(decided(task, [{ type: 'changed', audit }, { type: 'changed' }]));
    expect((await eventsOf(task.id, 2)).map((event) => event.audit)).toEqual([audit, undefined]);
  });
});

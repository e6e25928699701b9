import type { Actor, AuditEntry, AuditType } from '@parley/actor';
import { newId } from '@parley/secrets';
import { AuditEventService } from '@parley/proto/reports/v1/audit_events_pb';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { asEmployee, withRole } from '@parley/testkit/service';
import { waitUntil } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReports, type TestReports } from './start-reports.ts';

let reports: TestReports;
beforeAll(async () => void (reports = await startReports()));
afterAll(() => reports.stop());

const audit = () => reports.as('gateway').client(AuditEventService);
const ada: Actor = {
  type: 'employee',
  id: 'emp_ada',
  name: 'Ada',
  credential: { type: 'api_key', id: 'key_1', name: 'Webshop' },
  address: '192.0.2.7',
  requestId: 'req_1',
};
const entry = (type: AuditType, objectId: string): AuditEntry => ({
  type,
  object: { type: 'company', id: objectId, name: 'Acme' },
  changes: { name: { from: 'A', to: ['$x'] } },
});

interface Change {
  companyId: string;
  actor?: Actor;
  entry?: AuditEntry;
  at?: Date;
}
const change = ({ companyId, actor = ada, entry: carried, at }: Change) =>
  reports.publish(
    'directory.company.updated',
    { company: { id: companyId } },
    { companyId, aggregateId: newId('com'), actor, audit: carried, ...(at && { occurredAt: at }) },
  );

async function listed(companyId: string, request: Parameters<ReturnType<typeof audit>['listAuditEvents']>[0] = {}) {
  return (await audit().listAuditEvents(request, asEmployee(companyId))).auditEvents;
}
const waitFor = (companyId: string, count: number) =>
  waitUntil(async () => (await listed(companyId, { limit: 100 })).length >= count, { what: `${count} entries` });

describe('the audit log', () => {
  it('the audit log has an entry for an event that carries one, with its actor, once', async () => {
    const companyId = newId('com');
    const event = await change({ companyId, entry: entry('company.updated', companyId) });
    await change({ companyId });
    await reports.broker.publishAgain(event);
    await change({
      companyId,
      entry: entry('company.created', companyId),
      actor: { type: 'system', id: 'x', name: 'x' },
    });
    await waitFor(companyId, 2);
    const [second, first, ...more] = await listed(companyId);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      id: event.id.replace('evt_', 'aud_'),
      actor: { type: 'employee', id: 'emp_ada', name: 'Ada', credentialType: 'api_key', credentialId: 'key_1' },
      entry: { type: 'company.updated', objectId: companyId, changes: [{ field: 'name', from: '"A"', to: '["$x"]' }] },
    });
    expect(second).toMatchObject({ actor: { type: 'system', credentialType: '' } });
  });

  it('the audit log is filtered by actor, object, type and time, and read in pages', async () => {
    const companyId = newId('com');
    const start = Date.now() - 3600_000;
    const at = (n: number) => new Date(start + n * 1000);
    for (const n of [0, 1, 2, 3, 4, 5, 6, 7])
      await change({
        companyId,
        actor: { ...ada, id: n % 2 ? 'emp_1' : 'emp_0' },
        entry: entry(n < 4 ? 'company.updated' : 'company.created', n % 4 < 2 ? 'obj_0' : 'obj_1'),
        // Pairs happen at the same moment.
        at: at(n - (n % 2)),
      });
    await waitFor(companyId, 8);
    const count = async (filter: object) => (await listed(companyId, { filter })).length;
    expect(await count({ actorId: 'emp_1' })).toBe(4);
    expect(await count({ objectId: 'obj_0' })).toBe(4);
    expect(await count({ actorId: 'emp_1', objectId: 'obj_0', type: 'company.created' })).toBe(1);
    expect(await count({ type: 'company' })).toBe(0);
    expect(await count({ from: timestampFromDate(at(2)), to: timestampFromDate(at(4)) })).toBe(2);

    const all = (await listed(companyId)).map(({ id }) => id);
    const read: string[] = [];
    for (let cursor = ''; ;) {
      const page = await audit().listAuditEvents({ limit: 3, cursor }, asEmployee(companyId));
      read.push(...page.auditEvents.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === '') break;
      const other = audit().listAuditEvents({ limit: 3, cursor }, asEmployee(newId('com')));
      await expect(other).rejects.toMatchObject({ refusal: { code: 'validation_failed' } });
    }
    expect(read).toEqual(all);
    const streamed: string[] = [];
    for await (const { auditEvents } of audit().streamAuditEvents({ filter: {} }, asEmployee(companyId)))
      streamed.push(...auditEvents.map(({ id }) => id));
    expect(streamed).toEqual(all);
  });

  it('the audit log is for the admins of the company', async () => {
    const companyId = newId('com');
    await change({ companyId, entry: entry('company.updated', companyId) });
    await waitFor(companyId, 1);
    expect(await listed(newId('com'))).toEqual([]);
    const member = audit().listAuditEvents({}, withRole(asEmployee(companyId), 'member'));
    await expect(member).rejects.toMatchObject({ refusal: { code: 'forbidden' } });
  });
});

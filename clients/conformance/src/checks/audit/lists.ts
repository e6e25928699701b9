import { expect, expectThat } from '../../expectations/expect.ts';
import { listOf, nullable, text } from '../../expectations/shapes.ts';
import type { Company } from '../../world/company.ts';
import { type Check, checksOf } from '../check.ts';
import { newcomer } from '../employees/employee.ts';
import { ENTRY, entryOf } from './entry.ts';

const { must } = checksOf('audit');
const AUDIT = { source: 'people.md: Audit log', profile: 'full' } as const;
const API = { source: 'people.md: Audit log', profile: 'api' } as const;
const SHAPES = { source: 'people.md: Shapes', profile: 'full' } as const;

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly type: string;
}

/** Entries about an employee: made, and changed so many times. */
async function history(company: Company, changes: number): Promise<{ id: string; path: string }> {
  const { id } = await company.post('/employees', newcomer()).gives(201);
  for (let count = 0; count < changes; count++)
    await company.patch(`/employees/${id}`, { role: count % 2 === 0 ? 'admin' : 'member' }).gives(200);
  await entryOf(company, changes > 0 ? 'employee.role_changed' : 'employee.created', id);
  return { id, path: `/audit_events?object_id=${id}` };
}

const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id);

export const listChecks: readonly Check[] = [
  must(30, 'The log is a list of entries, the newest first.', API, async ({ companies }) => {
    const company = await companies.shared();
    await company.post('/employees', newcomer()).gives(201);
    const { audit_events: entries } = await company
      .get('/audit_events')
      .gives(200, { audit_events: listOf(ENTRY), next_cursor: nullable(text) });
    const times = entries.map(({ at }: Entry) => at);
    expect(times, times.toSorted().toReversed(), 'the times in the order of the list');
  }),

  must(31, 'The log of an object is its own.', AUDIT, async ({ companies }) => {
    const company = await companies.shared();
    const { id, path } = await history(company, 1);
    await history(company, 0);
    const { audit_events: entries } = await company.get(path).gives(200, { audit_events: listOf({ object: { id } }) });
    expect(entries.at(-1)?.type, 'employee.created', 'the type of the oldest entry');
  }),

  must(32, 'The log can be filtered by type and by actor, together too.', AUDIT, async ({ companies }) => {
    const company = await companies.shared();
    const admin = await company.hire({ role: 'admin' });
    const { id } = await admin.post('/employees', newcomer()).gives(201);
    await company.patch(`/employees/${id}`, { role: 'admin' }).gives(200);
    await entryOf(company, 'employee.created', id);
    await entryOf(company, 'employee.role_changed', id);
    await company
      .get(`/audit_events?actor_id=${admin.id}`)
      .gives(200, { audit_events: [{ type: 'employee.created', object: { id } }] });
    await company
      .get('/audit_events?type=employee.role_changed')
      .gives(200, { audit_events: listOf({ type: 'employee.role_changed' }) });
    await company.get(`/audit_events?actor_id=${admin.id}&type=employee.role_changed`).gives(200, { audit_events: [] });
    await company
      .get(`/audit_events?actor_id=${company.owner.id}&type=employee.role_changed&object_id=${id}`)
      .gives(200, { audit_events: [{ object: { id } }] });
  }),

  must(33, '`from` includes its moment, and `to` does not.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const { path } = await history(company, 3);
    const { audit_events: all } = await company.get(path).gives(200);
    const [moment] = all.slice(1).map(({ at }: Entry) => at);
    const expected = (holds: (at: string) => boolean) => idsOf(all.filter(({ at }: Entry) => holds(at)));
    const since = await company.get(`${path}&from=${moment}`).gives(200);
    expect(
      idsOf(since.audit_events),
      expected((at) => at >= moment),
      'the entries from the moment',
    );
    const until = await company.get(`${path}&to=${moment}`).gives(200);
    expect(
      idsOf(until.audit_events),
      expected((at) => at < moment),
      'the entries to the moment',
    );
  }),

  must(34, 'Pages of the log neither repeat nor leave out an entry.', AUDIT, async ({ companies }) => {
    const company = await companies.shared();
    const { path } = await history(company, 4);
    const { audit_events: all } = await company.get(path).gives(200);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page++) {
      expectThat(page <= all.length, 'the pages do not end');
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { audit_events: entries, next_cursor: next } = await company.get(`${path}&limit=2${query}`).gives(200);
      expectThat(entries.length <= 2, `a page has ${entries.length} entries`);
      seen.push(...idsOf(entries));
      cursor = next;
      // An entry that comes meanwhile is newer than all pages.
      if (page === 0) await company.patch(`/employees/${all[0].object.id}`, { name: 'Meanwhile' }).gives(200);
    }
    expect(seen, idsOf(all), 'the ids on all pages');
  }),

  must(35, 'The log as CSV has the same entries under the same filters.', AUDIT, async ({ companies }) => {
    const company = await companies.shared();
    const { id, path } = await history(company, 2);
    const { audit_events: all } = await company.get(path).gives(200);
    const { text: csv } = await company
      .get(`/audit_events.csv?object_id=${id}`)
      .givesHeaders(200, { 'content-type': /^text\/csv\b/ });
    const [heading, ...lines] = csv.trim().split(/\r?\n/);
    expectThat(heading!.includes('type') && heading!.includes('at'), `the first line is ${heading}`);
    expect(lines.length, all.length, 'the number of lines after the first');
    for (const [index, entry] of (all as Entry[]).entries())
      for (const value of [entry.id, entry.at, entry.type])
        expectThat(lines[index]!.includes(value), `line ${index + 2} has no ${value}: ${lines[index]}`);
  }),

  must(36, 'The log cannot be changed.', API, async ({ companies }) => {
    const company = await companies.shared();
    await company.post('/employees', newcomer()).gives(201);
    const { audit_events: entries } = await company.get('/audit_events').gives(200);
    for (const method of ['DELETE', 'PUT', 'PATCH', 'POST']) {
      expectThat((await company.send(method, '/audit_events')).status >= 400, `${method} /audit_events succeeds`);
      const { status } = await company.send(method, `/audit_events/${entries[0]?.id}`);
      expectThat(status >= 400, `${method} /audit_events/:id succeeds`);
    }
  }),

  must(37, "Another company's log is not there, whatever is asked for.", AUDIT, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { id } = await history(company, 0);
    for (const query of [`object_id=${id}`, `actor_id=${company.owner.id}`, `company_id=${company.id}&object_id=${id}`])
      await another.get(`/audit_events?${query}`).gives(200, { audit_events: [] });
    const { text: csv } = await another.get('/audit_events.csv');
    expectThat(!csv.includes(id), 'the foreign entry is in the CSV');
  }),
];

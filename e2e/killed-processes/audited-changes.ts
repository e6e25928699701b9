import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { seededRandom } from '../support/random.ts';
import { type Company, createTestCompany, operate, type Reply, send, succeeded } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';

/** Another seed makes other changes. It is part of every failure. */
const SEED = Number(process.env['PARLEY_AUDIT_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const PAUSE_MS = 300;
const WITHOUT_PROGRESS_MS_MAX = 120_000;

/** A credential that makes changes. `sign` identifies it in an entry. */
interface Writer {
  readonly sign: string;
  change(method: string, path: string, body: object): Promise<Reply>;
}

/** A change that was sent. `mark` is in its entry and in no other one. */
interface Change {
  readonly type: string;
  readonly mark: string;
  readonly sign: string;
  /** Without a response it may or may not have been made. */
  readonly isAcknowledged: boolean;
}

interface Entry {
  readonly at: string;
  readonly type: string;
  readonly actor: { readonly id: string | null; readonly credential: { readonly id: string | null } | null };
  readonly changes: Readonly<Record<string, { readonly to: unknown }>>;
}

/** Several people who change settings, each with several credentials. */
export interface AuditedChanges {
  stop(): Promise<void>;
  acknowledged(): number;
  /** The audit log has every acknowledged change once, by whom and with what; others once at most; and nothing else. */
  verify(): Promise<void>;
}

export async function startAuditedChanges(stack: LocalStack): Promise<AuditedChanges> {
  const company = await createTestCompany(stack.local);
  const colleague = { name: 'Ada', email: `ada.${Math.random()}@example.com`, role: 'admin' };
  const { body: admin } = await succeeded(company.call('POST', '/employees', colleague));
  const number = `+4577${Math.floor(Math.random() * 1_000_000)
    .toString()
    .padStart(6, '0')}`;
  const details = { number, name: 'Front desk', timezone: 'Europe/Copenhagen', language: 'en' };
  const numbers = `/companies/${company.id}/business_numbers`;
  const { body: businessNumber } = await succeeded(operate(stack.local, 'POST', numbers, details));
  const writers = await writersOf(stack, company, admin.id);
  const startedAt = new Date().toISOString();
  const changes: Change[] = [];
  let stopped = false;

  /** The changes that a writer may make, with a unique value each. */
  const kinds = (sign: string): [type: string, method: string, path: string, body: (mark: string) => object][] => {
    if (sign === 'operator') return [['company.updated', 'PATCH', `/companies/${company.id}`, (name) => ({ name })]];
    const other = sign.startsWith(admin.id) ? company.owner.id : admin.id;
    return [
      ['company.updated', 'PATCH', '/company', (city) => ({ city })],
      ['business_number.updated', 'PATCH', `/business_numbers/${businessNumber.id}`, (name) => ({ name })],
      ['employee.updated', 'PATCH', `/employees/${admin.id}`, (name) => ({ name })],
      [
        'employee.do_not_disturb_changed',
        'PUT',
        `/employees/${other}/do_not_disturb`,
        (mark) => ({ enabled: true, expires_at: mark }),
      ],
    ];
  };

  async function write({ sign, change }: Writer, index: number): Promise<void> {
    const random = seededRandom(SEED + index);
    const own = kinds(sign);
    for (let turn = 0; !stopped; turn++) {
      await sleep(PAUSE_MS);
      const [type, method, path, body] = random.pick(own);
      // A time is a mark too: each is another millisecond.
      const mark = type.includes('do_not_disturb')
        ? new Date(Date.UTC(2040, 0, 1) + index * 1_000_000 + turn).toISOString()
        : `mark ${index}-${turn}`;
      const reply = await change(method, path, body(mark)).catch(() => undefined);
      const isAcknowledged = reply !== undefined && reply.status < 300;
      if (reply !== undefined && [400, 401, 403, 404, 422].includes(reply.status))
        throw new Error(`seed ${SEED}: ${reply.request} was answered ${reply.status} ${reply.text}`);
      changes.push({ type, mark, sign, isAcknowledged });
    }
  }
  const writing = Promise.all(writers.map(write));

  /** The log without what was done before, which it may have later; an entry by its type, mark and who made it. */
  async function logged(): Promise<string[]> {
    return (await entriesOf(company)).filter(({ at }) => at > startedAt).map(textOf);
  }

  return {
    async stop() {
      stopped = true;
      await writing;
    },
    acknowledged: () => changes.filter(({ isAcknowledged }) => isAcknowledged).length,
    async verify() {
      const text = ({ type, mark, sign }: Change) => `${type} ${mark} ${sign}`;
      const expected = changes.filter(({ isAcknowledged }) => isAcknowledged).map(text);
      let log = await logged();
      for (let progressAt = performance.now(), left = Infinity; ;) {
        const missing = expected.filter((change) => !log.includes(change));
        if (missing.length === 0) break;
        if (missing.length < left) [left, progressAt] = [missing.length, performance.now()];
        else if (performance.now() - progressAt > WITHOUT_PROGRESS_MS_MAX)
          throw new Error(`seed ${SEED}: not in the audit log: ${missing.slice(0, 5).join(', ')}`);
        await sleep(1000);
        log = await logged();
      }
      const possible = new Set(changes.map(text));
      const twice = log.filter((entry, index) => log.indexOf(entry) !== index);
      const unknown = log.filter((entry) => !possible.has(entry));
      expect({ seed: SEED, twice, unknown }).toEqual({ seed: SEED, twice: [], unknown: [] });
    },
  };
}

async function writersOf({ local }: LocalStack, company: Company, adminId: string): Promise<Writer[]> {
  const employees = [company.owner.id, company.owner.id, adminId, adminId];
  const byKeys = employees.map(async (employeeId, index): Promise<Writer> => {
    const path = `/employees/${employeeId}/api_keys`;
    const { body } = await succeeded(operate(local, 'POST', path, { name: `Key ${index}` }));
    const headers = { 'X-Api-Key': body.api_key as string };
    return {
      sign: `${employeeId} ${body.id}`,
      change: (method, to, fields) => send(method, `${local.base_url}/api/v1${to}`, { headers, body: fields }),
    };
  });
  const operator: Writer = {
    sign: 'operator',
    change: (method, path, body) => operate(local, method, path, body),
  };
  return [...(await Promise.all(byKeys)), operator];
}

/** All of them, newest first. */
async function entriesOf(company: Company): Promise<Entry[]> {
  const found: Entry[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await succeeded(company.call('GET', `/audit_events?limit=100${query}`));
    found.push(...body.audit_events);
    cursor = body.next_cursor;
  }
  return found;
}

/** The same text as that of the expected change. */
function textOf({ type, actor, changes }: Entry): string {
  const mark = Object.values(changes).find(({ to }) => /^(mark |2040-)/.test(String(to)))?.to;
  return `${type} ${String(mark)} ${actor.id === null ? 'operator' : `${actor.id} ${actor.credential?.id}`}`;
}

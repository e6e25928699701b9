import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type Company, createTestCompany, type Reply, sandbox } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';

/** Enough that some are in progress whenever a process is killed. */
const WRITERS = 8;
const PAUSE_MS = 200;
/** Deliveries that a killed process had claimed wait 30 seconds; on a busy machine the rest takes its time too, but continues. */
const WITHOUT_PROGRESS_MS_MAX = 120_000;
const HOOK = '/hooks/contact-changes';

/** A contact as its writer knows it: its acknowledged state, and later changes without a response. */
interface Known {
  readonly id: string;
  readonly names: string[];
  doubtful: string[];
}

/** Writers that create and rename contacts, and a webhook that receives the changes. */
export interface ContactChanges {
  stop(): Promise<void>;
  acknowledged(): number;
  /** Every acknowledged change was delivered, no change was applied twice, and every contact has its last name. */
  verify(): Promise<void>;
}

export async function startContactChanges(stack: LocalStack): Promise<ContactChanges> {
  const company = await createTestCompany(stack.local);
  const { status } = await company.call('POST', '/webhooks', {
    name: 'all',
    url: `${stack.local.sandbox_url}${HOOK}`,
    events: ['contact.created', 'contact.updated'],
  });
  expect(status).toBe(201);
  const contacts: Known[] = [];
  let stopped = false;

  async function write(writer: number): Promise<void> {
    const own: Known[] = [];
    for (let turn = 0; !stopped; turn++) {
      await sleep(PAUSE_MS);
      const contact = own[turn % 5];
      if (contact) await rename(company, contact, `name ${writer}-${turn}`);
      else own.push(...(await create(company, `+45${20 + writer}${100_000 + turn}`)));
    }
    contacts.push(...own);
  }
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

  async function deliveries(): Promise<{ change: string; deliveryId: string }[]> {
    const { body } = await sandbox(stack.local, 'GET', HOOK);
    return (
      body as { body: { data: { contact: { id: string; name: string } } }; headers: Record<string, string> }[]
    ).map(({ body: { data }, headers }) => ({
      change: `${data.contact.id} ${data.contact.name}`,
      deliveryId: headers['webhook-id'] ?? '',
    }));
  }

  /** Retries become due by the clock. It is moved once a second, because every process searches for due work when it is. */
  async function allDelivered(): Promise<void> {
    let missing = contacts.flatMap(({ id, names }) => names.map((name) => `${id} ${name}`));
    let progressAt = performance.now();
    while (missing.length > 0) {
      await sandbox(stack.local, 'POST', '/clock/advance', { seconds: 400 });
      await sleep(1000);
      const delivered = new Set((await deliveries()).map(({ change }) => change));
      const left = missing.filter((change) => !delivered.has(change));
      if (left.length < missing.length) progressAt = performance.now();
      else if (performance.now() - progressAt > WITHOUT_PROGRESS_MS_MAX)
        throw new Error(`${left.length} acknowledged changes are not delivered: ${left.slice(0, 5).join(', ')}`);
      missing = left;
    }
  }

  return {
    async stop() {
      stopped = true;
      await writing;
    },
    acknowledged: () => contacts.flatMap(({ names }) => names).length,
    async verify() {
      await allDelivered();

      // One delivery per change: a change that was applied twice would be two events, and so two ids.
      const ids = new Map<string, Set<string>>();
      for (const { change, deliveryId } of await deliveries())
        ids.set(change, (ids.get(change) ?? new Set()).add(deliveryId));
      expect([...ids].filter(([, ofChange]) => ofChange.size > 1)).toEqual([]);

      for (const { id, names, doubtful } of contacts) {
        const { body } = await company.call('GET', `/contacts/${id}`);
        expect([names.at(-1), ...doubtful]).toContain(body.name);
      }
    },
  };
}

/** The contact, if it was acknowledged. */
async function create(company: Company, phone: string): Promise<Known[]> {
  const reply = await answered(company.call('POST', '/contacts', { phone, name: 'new' }));
  return reply?.status === 201 ? [{ id: reply.body.id, names: ['new'], doubtful: [] }] : [];
}

async function rename(company: Company, contact: Known, name: string): Promise<void> {
  const reply = await answered(company.call('PATCH', `/contacts/${contact.id}`, { name }));
  if (reply?.status === 200) {
    contact.names.push(name);
    contact.doubtful = [];
  } else contact.doubtful.push(name);
}

/** Undefined when a service, or the gateway itself, was killed. */
async function answered(request: Promise<Reply>): Promise<Reply | undefined> {
  const reply = await request.catch(() => undefined);
  return reply !== undefined && reply.status < 500 ? reply : undefined;
}

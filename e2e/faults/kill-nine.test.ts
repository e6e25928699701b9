import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, sandbox } from '../support/api.ts';
import { killProcesses } from '../support/kill-processes.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { underStress } from '../support/stress.ts';
import { waitUntil } from '@parley/testkit/wait-until';

const KILLS = underStress(6, 60);
/** Enough that some are in progress whenever a process is killed. */
const WRITERS = 8;
const PAUSE_MS = 20;

let stack: LocalStack;
let company: Company;

beforeAll(async () => {
  stack = await startLocalStack({ environment: { PARLEY_PROCESSES: 'separate' } });
  company = await createTestCompany(stack.local);
}, 300_000);

afterAll(() => stack?.stop(), 60_000);

/** A contact in this test: its acknowledged state, and later changes without a response. */
interface Known {
  id: string;
  phone: string;
  names: string[];
  doubtful: string[];
}

async function untilAnswered(
  call: () => Promise<{ status: number; body: any }>,
): Promise<{ status: number; body: any } | undefined> {
  try {
    const reply = await call();
    return reply.status < 500 ? reply : undefined;
  } catch {
    return undefined; // the gateway itself was killed
  }
}

describe('kill -9 of any process while contacts are changed', () => {
  it(
    'loses no acknowledged change, delivers every one, and applies none twice',
    async () => {
      const hook = '/hooks/kill-nine';
      await company.call('POST', '/webhooks', {
        name: 'all',
        url: `${stack.local.sandbox_url}${hook}`,
        events: ['contact.created', 'contact.updated'],
      });
      // The receiver is in the sandbox's memory, which is not killed.
      const [receiver] = processesOfService(stack, 'sandbox');
      const contacts: Known[] = [];
      let over = false;
      const killing = killProcesses(stack, { kills: KILLS, spare: [receiver] }).finally(() => (over = true));

      const writer = async (number: number) => {
        for (let turn = 0; !over; turn++) {
          await sleep(PAUSE_MS);
          const mine = contacts.filter((contact) => contact.phone.startsWith(`+45${20 + number}`));
          const contact = mine[turn % 5];
          if (!contact) await create(`+45${20 + number}${String(100_000 + turn)}`);
          else await rename(contact, `name ${number}-${turn}`);
        }
      };
      const create = async (phone: string) => {
        const reply = await untilAnswered(() => company.call('POST', '/contacts', { phone, name: 'new' }));
        if (reply?.status === 201) contacts.push({ id: reply.body.id, phone, names: ['new'], doubtful: [] });
      };
      const rename = async (contact: Known, name: string) => {
        const reply = await untilAnswered(() => company.call('PATCH', `/contacts/${contact.id}`, { name }));
        if (reply?.status === 200) {
          contact.names.push(name);
          contact.doubtful = [];
        } else contact.doubtful.push(name);
      };
      await Promise.all([killing, ...Array.from({ length: WRITERS }, (_, number) => writer(number))]);
      expect(contacts.flatMap(({ names }) => names).length).toBeGreaterThan(10 * KILLS);

      const expected = new Set(contacts.flatMap(({ id, names }) => names.map((name) => `${id} ${name}`)));
      const delivered = async () => {
        const { body } = await sandbox(stack.local, 'GET', hook);
        return (
          body as { body: { data: { contact: { id: string; name: string } } }; headers: Record<string, string> }[]
        ).map(({ body: { data }, headers }) => ({
          change: `${data.contact.id} ${data.contact.name}`,
          delivery: headers['webhook-id'] ?? '',
        }));
      };
      await waitUntil(
        async () => {
          await sandbox(stack.local, 'POST', '/clock/advance', { seconds: 400 });
          const changesDelivered = new Set((await delivered()).map(({ change }) => change));
          return expected.isSubsetOf(changesDelivered);
        },
        { what: 'every acknowledged change at the receiver', timeoutMs: 120_000 },
      );

      // One delivery per change: a change that was applied twice would be two events, and so two ids.
      const ids = new Map<string, Set<string>>();
      for (const { change, delivery } of await delivered())
        ids.set(change, (ids.get(change) ?? new Set()).add(delivery));
      expect([...ids].filter(([, deliveries]) => deliveries.size > 1)).toEqual([]);

      for (const contact of contacts) {
        const { body } = await company.call('GET', `/contacts/${contact.id}`);
        expect([contact.names.at(-1), ...contact.doubtful]).toContain(body.name);
      }
    },
    underStress(300_000, 1_800_000),
  );
});

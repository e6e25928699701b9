import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { giveNumber } from '../business-numbers/give-number.ts';
import { type Company, createTestCompany, type Reply, sandbox } from '../support/api.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { processesOf, processesOfService } from '../support/processes.ts';
import { waitUntil } from '../support/wait-until.ts';

const SENDS = 150;
const NUMBERS = 10;
const WRITERS = 10;

let stack: LocalStack;
let company: Company;
const numbers: string[] = [];

beforeAll(async () => {
  stack = await startLocalStack({ environment: { PARLEY_PROCESSES: 'separate' } });
  company = await createTestCompany(stack.local, { messaging_enabled: true });
  for (let index = 0; index < NUMBERS; index++)
    numbers.push((await giveNumber(company, {}, stack.local)).body.id as string);
}, 180_000);
afterAll(() => stack?.stop(), 30_000);

interface Text {
  readonly businessNumberId: string;
  readonly to: string;
  readonly key: string;
}

const sendOnce = ({ businessNumberId, to, key }: Text) =>
  company.call('POST', `/business_numbers/${businessNumberId}/messages`, { to, text: 'Hello', idempotency_key: key });

/** As a careful client does: the same key again until there is an answer that is not about the way there. */
async function sendUntilAnswered(text: Text): Promise<Reply> {
  return waitUntil(
    'an answer',
    async () => {
      const reply = await sendOnce(text).catch(() => undefined);
      return reply !== undefined && ![500, 503].includes(reply.status) && reply;
    },
    240_000,
  );
}

const submittedTo = async (to: string) =>
  (await sandbox(stack.local, 'GET', `/messages?to=${encodeURIComponent(to)}`)).body as { provider_id: string }[];
const healthy = () =>
  waitUntil(
    'the stack to be healthy',
    async () => (await fetch(`${stack.local.base_url}/healthz`).catch(() => undefined))?.status === 200,
    90_000,
  );

describe('a service that is killed between storing a text and the answer of the provider', () => {
  it('leaves the outcome unknown and never submits the text again', async () => {
    const text = { businessNumberId: numbers[0]!, to: '+4520111111', key: 'killed' };
    await sandbox(stack.local, 'PUT', '/faults', { sms_submit: 'timeout' });
    const first = sendOnce(text).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    for (const pid of processesOfService(stack, 'messaging-inbox')) process.kill(pid, 'SIGKILL');
    await first;
    await sandbox(stack.local, 'DELETE', '/faults');
    await healthy();
    const settled = await waitUntil(
      'the text to be settled',
      async () => {
        const reply = await sendUntilAnswered(text);
        return reply.body.status !== 'queued' && reply;
      },
      60_000,
    );
    expect([settled.status, settled.body.status]).toEqual([200, 'unknown']);
    expect(await submittedTo(text.to)).toEqual([]);
  }, 180_000);
});

describe('kill -9 of any process during many sends', () => {
  it('submits every attempt at most once, loses no text, and says of none that it failed that was sent', async () => {
    const [provider] = processesOfService(stack, 'sandbox');
    const texts: Text[] = Array.from({ length: SENDS }, (_, index) => ({
      businessNumberId: numbers[index % NUMBERS]!,
      to: `+4521${String(index).padStart(6, '0')}`,
      key: `many-${index}`,
    }));
    const ids = new Map<string, string>();
    let next = 0;
    let kills = 0;
    let done = false;
    // One after the other: however slow the machine, there is a healthy moment between two kills.
    const killing = (async () => {
      while (!done) {
        const victims = processesOf(stack).filter((pid) => pid !== provider);
        const victim = victims[Math.floor(Math.random() * victims.length)];
        if (victim !== undefined) process.kill(victim, 'SIGKILL');
        kills += 1;
        await healthy();
      }
    })();
    const writer = async () => {
      for (let text = texts[next++]; text; text = texts[next++]) {
        const { body } = await sendUntilAnswered(text);
        ids.set(text.key, body.message_id ?? body.id);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    done = true;
    await killing;
    expect(kills).toBeGreaterThan(3);

    const outcomes: Record<string, number[]> = {};
    for (const text of texts) {
      const { body } = await waitUntil(
        `${text.key} to be settled`,
        async () => {
          const reply = await company.call('GET', `/messages/${ids.get(text.key)}`);
          return reply.status === 200 && reply.body.status !== 'queued' && reply;
        },
        60_000,
      );
      expect([body.to, body.text]).toEqual([text.to, 'Hello']);
      (outcomes[body.status] ??= []).push((await submittedTo(text.to)).length);
    }
    const { accepted = [], failed = [], unknown = [], ...others } = outcomes;
    expect(others).toEqual({});
    expect(accepted.every((submissions) => submissions === 1)).toBe(true);
    expect(failed.every((submissions) => submissions === 0)).toBe(true);
    expect(unknown.every((submissions) => submissions <= 1)).toBe(true);
    expect(accepted.length).toBeGreaterThan(SENDS / 2);
  }, 480_000);
});

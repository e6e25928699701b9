import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, type Reply, sandbox } from '../support/api.ts';
import { healthy, killProcesses } from '../support/kill-processes.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { underStress } from '../support/stress.ts';
import { waitUntil } from '@parley/testkit/wait-until';

const KILLS = underStress(5, 50);
/** The limit of a number is 30 texts a minute. */
const NUMBERS = 10;
const WRITERS = 5;
const PAUSE_MS = 1500;
/** A text that is sent while its process is killed can keep a writer waiting for as long as all kills take. */
const TEXTS_OF_A_WRITER_MIN = 3;

let stack: LocalStack;
let company: Company;
const numbers: string[] = [];

beforeAll(async () => {
  stack = await startLocalStack({ environment: { PARLEY_PROCESSES: 'separate' } });
  company = await createTestCompany(stack.local, { messaging_enabled: true });
  for (let index = 0; index < NUMBERS; index++)
    numbers.push((await createNumber(company, {}, stack.local)).body.id as string);
}, 300_000);
afterAll(() => stack?.stop(), 30_000);

interface Text {
  readonly businessNumberId: string;
  readonly to: string;
  readonly key: string;
}

const sendOnce = ({ businessNumberId, to, key }: Text) =>
  company.call('POST', `/business_numbers/${businessNumberId}/messages`, { to, text: 'Hello', idempotency_key: key });

/** Retries with the same key until there is a response that is not a transport error. */
async function sendUntilAnswered(text: Text): Promise<Reply> {
  return waitUntil(
    async () => {
      const reply = await sendOnce(text).catch(() => undefined);
      return reply !== undefined && ![500, 503].includes(reply.status) && reply;
    },
    { what: 'an answer', timeoutMs: 240_000 },
  );
}

const submittedTo = async (to: string) =>
  (await sandbox(stack.local, 'GET', `/messages?to=${encodeURIComponent(to)}`)).body as { provider_id: string }[];

describe('a service that is killed between storing a text and the answer of the provider', () => {
  it('leaves the outcome unknown and never submits the text again', async () => {
    const text = { businessNumberId: numbers[0]!, to: '+4520111111', key: 'killed' };
    await sandbox(stack.local, 'PUT', '/faults', { sms_submit: 'timeout' });
    const first = sendOnce(text).catch(() => undefined);
    // The inbox follows the events of texts, so it has a text some time after its submission has started.
    await waitUntil(async () => (await company.call('GET', '/inbox')).text.includes(text.to), {
      what: 'the text to be stored',
    });
    for (const pid of processesOfService(stack, 'messaging-inbox')) process.kill(pid, 'SIGKILL');
    await first;
    await sandbox(stack.local, 'DELETE', '/faults');
    await healthy(stack);
    const settled = await waitUntil(
      async () => {
        const reply = await sendUntilAnswered(text);
        return reply.body.status !== 'queued' && reply;
      },
      { what: 'the text to be settled', timeoutMs: 60_000 },
    );
    expect([settled.status, settled.body.status]).toEqual([200, 'unknown']);
    expect(await submittedTo(text.to)).toEqual([]);
  }, 180_000);
});

describe('kill -9 of any process during many sends', () => {
  it(
    'submits every attempt at most once, loses no text, and marks no sent text as failed',
    async () => {
      const [provider] = processesOfService(stack, 'sandbox');
      const texts: Text[] = [];
      const ids = new Map<string, string>();
      let over = false;
      const killing = killProcesses(stack, { kills: KILLS, spare: [provider] }).finally(() => (over = true));
      const writer = async () => {
        for (let sent = 0; !over || sent < TEXTS_OF_A_WRITER_MIN; sent++) {
          const index = texts.length;
          const to = `+4521${String(index).padStart(6, '0')}`;
          const text = { businessNumberId: numbers[index % NUMBERS]!, to, key: `many-${index}` };
          texts.push(text);
          const { body } = await sendUntilAnswered(text);
          ids.set(text.key, body.message_id ?? body.id);
          await sleep(PAUSE_MS);
        }
      };
      await Promise.all([killing, ...Array.from({ length: WRITERS }, writer)]);

      const outcomes: Record<string, number[]> = {};
      for (const text of texts) {
        const { body } = await waitUntil(
          async () => {
            const reply = await company.call('GET', `/messages/${ids.get(text.key)}`);
            return reply.status === 200 && reply.body.status !== 'queued' && reply;
          },
          { what: `${text.key} to be settled`, timeoutMs: 60_000 },
        );
        expect([body.to, body.text]).toEqual([text.to, 'Hello']);
        (outcomes[body.status] ??= []).push((await submittedTo(text.to)).length);
      }
      const { accepted = [], failed = [], unknown = [], ...others } = outcomes;
      expect(others).toEqual({});
      expect(accepted.every((submissions) => submissions === 1)).toBe(true);
      expect(failed.every((submissions) => submissions === 0)).toBe(true);
      expect(unknown.every((submissions) => submissions <= 1)).toBe(true);
      expect(accepted.length).toBeGreaterThan(texts.length / 2);
    },
    underStress(300_000, 1_800_000),
  );
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { createNumber } from '../business-numbers/create-number.ts';
import { untilAnswered } from '../stress/stress-stack.ts';
import { createTestCompany, sandbox } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';

/** The limit of a number is 30 texts a minute. */
const NUMBERS = 10;
const WRITERS = 5;
const PAUSE_MS = 1500;
/** A text that is sent while its process is killed can keep a writer waiting for as long as all kills take. */
const TEXTS_OF_A_WRITER_MIN = 3;

/** Writers that send texts, each with its own idempotency key until it is answered. */
export interface TextSends {
  stop(): Promise<void>;
  /** Every text was submitted at most once, none is lost, and none that was submitted is marked as failed. */
  verify(): Promise<void>;
}

export async function startTextSends(stack: LocalStack): Promise<TextSends> {
  const company = await createTestCompany(stack.local, { messaging_enabled: true });
  const numbers: string[] = [];
  while (numbers.length < NUMBERS) numbers.push((await createNumber(company, {}, stack.local)).body.id);
  const texts: { to: string; messageId: string }[] = [];
  let started = 0;
  let stopped = false;

  async function write(): Promise<void> {
    for (let sent = 0; !stopped || sent < TEXTS_OF_A_WRITER_MIN; sent++) {
      const index = started++;
      const to = `+4521${String(index).padStart(6, '0')}`;
      const path = `/business_numbers/${numbers[index % NUMBERS]}/messages`;
      const text = { to, text: 'Hello', idempotency_key: `many-${index}` };
      const { body } = await untilAnswered(() => company.call('POST', path, text));
      texts.push({ to, messageId: body.message_id ?? body.id });
      await sleep(PAUSE_MS);
    }
  }
  const writing = Promise.all(Array.from({ length: WRITERS }, write));

  return {
    async stop() {
      stopped = true;
      await writing;
    },
    async verify() {
      const submissions: Record<string, number[]> = {};
      for (const { to, messageId } of texts) {
        const { body } = await waitUntil(
          async () => {
            const reply = await company.call('GET', `/messages/${messageId}`);
            return reply.status === 200 && reply.body.status !== 'queued' && reply;
          },
          { what: `the text to ${to} to be settled`, timeoutMs: 60_000 },
        );
        expect([body.to, body.text]).toEqual([to, 'Hello']);
        const submitted = await sandbox(stack.local, 'GET', `/messages?to=${encodeURIComponent(to)}`);
        (submissions[body.status] ??= []).push(submitted.body.length);
      }
      const { accepted = [], failed = [], unknown = [], ...others } = submissions;
      expect(others).toEqual({});
      expect(accepted.every((count) => count === 1)).toBe(true);
      expect(failed.every((count) => count === 0)).toBe(true);
      expect(unknown.every((count) => count <= 1)).toBe(true);
      expect(accepted.length).toBeGreaterThan(texts.length / 2);
    },
  };
}

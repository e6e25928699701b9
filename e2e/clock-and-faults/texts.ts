import { beforeAll, describe, expect, it } from '@jest/globals';
import { advanceClock, resetClock, succeeded } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { newIdempotencyKey, startTexting, type Texting } from '../messages/texting.ts';

export function testTexts(stack: LocalStack): void {
  let texting: Texting;

  beforeAll(async () => {
    texting = await startTexting(stack.local);
  });

  const advance = (seconds: number) => advanceClock(stack.local, seconds);
  const back = () => resetClock(stack.local);
  const path = () => `/business_numbers/${texting.number.id}`;
  const isOpen = async () =>
    (await texting.company.call('GET', `${path()}/route_explanation`)).body as {
      within_business_hours: boolean;
      changes_at: string;
      at: string;
    };

  /** Moves the clock to the next moment at which the number is closed, or open. */
  async function advanceTo(open: boolean): Promise<void> {
    for (let look = await isOpen(); look.within_business_hours !== open; look = await isOpen())
      await advance(Math.ceil((Date.parse(look.changes_at) - Date.parse(look.at)) / 1000) + 60);
  }

  describe('auto-reply', () => {
    it('auto-reply answers outside business hours, once within the cooldown, as automation', async () => {
      const settings = {
        auto_reply_enabled: true,
        auto_reply_text: 'We are closed',
        auto_reply_cooldown_minutes: 60,
      };
      await succeeded(texting.company.call('PATCH', `${path()}/texting_settings`, settings));
      const from = texting.customer();
      const replies = async () => (await texting.submitted(from)).map(({ text }) => text);
      await advanceTo(true);
      await texting.receive({ from, text: 'Open?' });
      await advanceTo(false);
      expect(await replies()).toEqual([]);

      const first = await texting.receive({ from, text: 'Still there?' });
      for (let repetition = 0; repetition < 5; repetition++) await texting.receive({ provider_id: first.provider_id });
      await texting.receive({ from, text: 'Hello?' });
      await waitUntil(async () => (await replies()).length > 0, { what: 'the reply' });
      await advance(59 * 60);
      await texting.receive({ from, text: 'Anybody?' });
      await advance(1);
      expect(await replies()).toEqual(['We are closed']);

      await advance(3 * 60);
      await texting.receive({ from, text: 'Good night' });
      await waitUntil(async () => (await replies()).length > 1, { what: 'the second reply' });
      await back();
      expect(await replies()).toEqual(['We are closed', 'We are closed']);
    }, 300_000);

    it('auto-reply is not stuck in the future when the clock is moved back', async () => {
      const from = texting.customer();
      const replies = async () => (await texting.submitted(from)).length;
      await advance(30 * 24 * 3600);
      await advanceTo(false);
      await texting.receive({ from, text: 'From the future' });
      await waitUntil(async () => (await replies()) === 1, { what: 'the reply' });
      await back();
      await advanceTo(false);
      await texting.receive({ from, text: 'From now' });
      await waitUntil(async () => (await replies()) === 2, { what: 'the second reply' });
      await back();
    }, 300_000);
  });

  describe('the limit of sends', () => {
    it('the limit of sends follows the clock', async () => {
      const busy = await startTexting(stack.local);
      const to = busy.customer();
      const send = () => busy.send({ to, text: 'Hello', idempotency_key: newIdempotencyKey() });
      // A few at once: that of a hundred at once exactly 30 are accepted is tested without the clock.
      const sendMany = async () => {
        const statuses: number[] = [];
        for (let turn = 0; turn < 7; turn++)
          for (const { status } of await Promise.all(Array.from({ length: 5 }, send))) statuses.push(status);
        return statuses.toSorted();
      };
      const onlyThirty = [...Array.from({ length: 30 }, () => 201), ...Array.from({ length: 5 }, () => 429)];
      expect(await sendMany()).toEqual(onlyThirty);
      await advance(61);
      expect(await sendMany()).toEqual(onlyThirty);
      await back();
      expect((await send()).status).toBe(201);
    }, 300_000);
  });

  describe('a callback', () => {
    it('a callback is signed by the moved clock, and one signed by the machine’s is too old', async () => {
      await advance(3600);
      const from = texting.customer();
      const old = await texting.callback({ from, text: 'Hi', signed_at: new Date().toISOString() });
      expect(old.callback_status).toBe(401);
      await texting.receive({ provider_id: old.provider_id });
      await back();
    });
  });
}

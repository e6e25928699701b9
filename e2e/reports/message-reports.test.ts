import { expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { newIdempotencyKey, startTexting } from '../messages/texting.ts';

it('reports count texts, people and how fast they were answered', async () => {
  const texting = await startTexting();
  const person = texting.customer();
  await texting.receive({ from: person, text: 'Are you open?' });
  await texting.send({ to: person, text: 'Until five.', idempotency_key: newIdempotencyKey() });
  await texting.receive({ from: texting.customer(), text: 'Hello' });
  const report = async (query: string) => (await texting.company.call('GET', `/reports/messages?${query}`)).body;
  const counted = { received: 2, sent: 1, failed: 0, people: 2 };
  const { rows, totals } = await waitUntil(
    async () => {
      const found = await report('group_by=employee');
      return found.totals.received === 2 && found.totals.sent === 1 ? found : undefined;
    },
    { what: 'the texts to be counted', timeoutMs: 30_000 },
  );
  expect(totals).toMatchObject(counted);
  expect(totals.first_response_secs_p50).toBe(totals.first_response_secs_p90);
  expect(rows).toMatchObject([{ key: texting.company.owner.id, sent: 1, received: 0, people: 1 }]);
  expect((await report('group_by=hour_of_day')).totals).toMatchObject(counted);
  expect((await report('from=2026-13-01')).error).toBe('from is not a date');
});

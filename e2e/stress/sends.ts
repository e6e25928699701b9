// Many sends while processes are killed and clients repeat their keys: no attempt is accepted twice, and no text is lost.
import { sandbox } from '../support/api.ts';
import { waitUntil } from '../support/wait-until.ts';
import { inParallel, requireThat, startKilling, untilAnswered, withStressStack } from './stress-stack.ts';

/** Below the limit of a minute. */
const SENDS_PER_NUMBER = 25;
const CLIENTS = 12;
const SETTLED_WITHIN_MS = 120_000;

export function stressSends(count: number): Promise<void> {
  return withStressStack(Math.ceil(count / SENDS_PER_NUMBER), async ({ stack, company, numbers }) => {
    const toOf = (index: number) => `+4521${String(index).padStart(6, '0')}`;
    const send = (index: number) => () =>
      company.call('POST', `/business_numbers/${numbers[index % numbers.length]!.id}/messages`, {
        to: toOf(index),
        text: `Text ${index}`,
        idempotency_key: `stress-${index}`,
      });
    const ids: string[] = [];
    const killing = startKilling(stack);
    await inParallel(count, CLIENTS, async (index) => {
      const { body } = await untilAnswered(send(index));
      ids[index] = body.message_id ?? body.id;
      // Some clients never saw the answer and ask again.
      if (index % 5 === 0) {
        const again = await untilAnswered(send(index));
        requireThat(again.body.id === ids[index], `key ${index} has two texts`);
      }
    });
    const kills = await killing.stop();

    const submissions = new Map<string, number>();
    for (const { to } of (await sandbox(stack.local, 'GET', '/messages')).body)
      submissions.set(to, (submissions.get(to) ?? 0) + 1);
    const outcomes: Record<string, number> = {};
    await inParallel(count, CLIENTS, async (index) => {
      const { body } = await waitUntil(
        `text ${index} to be settled`,
        async () => {
          const reply = await untilAnswered(() => company.call('GET', `/messages/${ids[index]}`));
          return reply.body.status !== 'queued' && reply;
        },
        SETTLED_WITHIN_MS,
      );
      const sent = submissions.get(toOf(index)) ?? 0;
      requireThat(body.text === `Text ${index}`, `text ${index} is another one`);
      requireThat(sent <= 1, `text ${index} was submitted ${sent} times`);
      if (body.status === 'accepted') requireThat(sent === 1, `text ${index} is accepted and was never submitted`);
      if (body.status === 'failed') requireThat(sent === 0, `text ${index} has failed and was submitted`);
      requireThat(['accepted', 'failed', 'unknown'].includes(body.status), `text ${index} is ${body.status}`);
      outcomes[body.status] = (outcomes[body.status] ?? 0) + 1;
    });
    // In flight at a kill: never more than there were clients.
    requireThat((outcomes['unknown'] ?? 0) <= kills * CLIENTS, 'more texts are unknown than were in flight');
    console.log(`  ${count} sends, ${kills} kills: ${JSON.stringify(outcomes)}, ${submissions.size} submissions`);
  });
}

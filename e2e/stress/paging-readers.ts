// Readers follow pages and mark what they observed as seen while texts arrive: nothing is skipped, repeated or wrongly seen.
import { setTimeout as sleep } from 'node:timers/promises';
import { readActivity } from './activity.ts';
import { type Amount, inParallel, receiveText, requireThat, untilAnswered, withStressStack } from './stress-stack.ts';

const ITEMS_PER_SECOND = 200;
const READERS = 5;
const PAGE = 7;
const WRITERS = 24;

export function stressPagingReaders(amount: Amount): Promise<void> {
  return withStressStack(1, async ({ stack, company, numbers }) => {
    const to = numbers[0]!.number;
    const phones = Array.from({ length: READERS }, (_, reader) => `+4523${String(reader).padStart(6, '0')}`);
    let arriving = true;
    const started = performance.now();
    const writing = inParallel(amount, WRITERS, async (index) => {
      await sleep(Math.max(0, started + (index * 1000) / ITEMS_PER_SECOND - performance.now()));
      await receiveText(stack, { from: phones[index % READERS]!, to, text: `Text ${index}` });
    }).finally(() => (arriving = false));

    let rounds = 0;
    const reading = phones.map(async (phone) => {
      const observed = new Set<string>();
      const expectSeen = (items: readonly { id: string; seen_at: string | null }[]) => {
        for (const { id, seen_at: seenAt } of items)
          requireThat((seenAt !== null) === observed.has(id), `${id} is ${seenAt === null ? 'un' : ''}seen wrongly`);
      };
      for (let last = false; !last; rounds += 1) {
        last = !arriving;
        const { items, observedAt } = await readActivity(company, phone, PAGE);
        requireThat(new Set(items.map(({ id }) => id)).size === items.length, 'an item was repeated');
        expectSeen(items);
        const ids = new Set(items.map(({ id }) => id));
        requireThat(
          [...observed].every((id) => ids.has(id)),
          'an item was skipped',
        );
        for (const id of ids) observed.add(id);
        const path = `/inbox/${encodeURIComponent(phone)}/seen`;
        await untilAnswered(() => company.call('POST', path, { through: observedAt }));
      }
      const { items } = await readActivity(company, phone, 100);
      expectSeen(items);
      requireThat(observed.size === items.length, `${observed.size} of ${items.length} items were observed`);
      return items.length;
    });
    const count = await writing;
    const secs = (performance.now() - started) / 1000;
    const read = (await Promise.all(reading)).reduce((sum, one) => sum + one, 0);
    requireThat(read === count, `${read} of ${count} items were read`);
    console.log(
      `  ${count} texts at ${(count / secs).toFixed(0)} a second, ${rounds} rounds of ${READERS} readers: all right`,
    );
  });
}

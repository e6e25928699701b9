import { expect, it } from '@jest/globals';
import { newIdempotencyKey, startTexting } from '../messages/texting.ts';
import { untilAnswered } from '../stress/stress-stack.ts';
import { clearFaults, setFaults } from '../support/api.ts';
import { healthy } from '../support/kill-processes.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';

export function testInterruptedText(stack: LocalStack): void {
  it('a process that is killed while it submits a text leaves the outcome unknown and never submits it again', async () => {
    const { company, send, submitted } = await startTexting(stack.local);
    const text = { to: '+4520111111', text: 'Hello', idempotency_key: newIdempotencyKey() };
    await setFaults(stack.local, { sms_submit: 'timeout' });
    const first = send(text).catch(() => undefined);
    // The inbox follows the events of texts, so it has a text some time after its submission has started.
    await waitUntil(async () => (await company.call('GET', '/inbox')).text.includes(text.to), {
      what: 'the text to be stored',
    });
    for (const pid of processesOfService(stack, 'messaging-inbox')) process.kill(pid, 'SIGKILL');
    await first;
    await clearFaults(stack.local);
    await healthy(stack);
    const settled = await waitUntil(
      async () => {
        const reply = await untilAnswered(() => send(text));
        return reply.body.status !== 'queued' && reply;
      },
      { what: 'the text to be settled', timeoutMs: 60_000 },
    );
    expect([settled.status, settled.body.status]).toEqual([200, 'unknown']);
    expect(await submitted(text.to)).toEqual([]);
  });
}

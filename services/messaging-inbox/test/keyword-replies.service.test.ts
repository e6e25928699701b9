import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import type { RpcClient } from '@parley/rpc';
import { countWithCommands, waitUntil as waitFor } from '@parley/testkit';
import type { FakeNumber } from '@parley/testkit/service';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';
import { receivedEvent } from './test-provider.ts';

let parley: TestMessagingInbox;
let callbacks: RpcClient<typeof ProviderCallbackService>[];
let companyId: string;
let number: FakeNumber;
let aheadSecs = 0;

beforeAll(async () => {
  parley = await startMessagingInbox({ TEST_CLOCK: 'on' });
  callbacks = parley.replicas.map((channel) => channel.client(ProviderCallbackService));
}, 60_000);
afterAll(() => parley?.stop());
beforeEach(() => {
  ({ companyId } = parley.directory.createCompany({ messagingEnabled: true }));
  number = parley.numbers.addNumber(companyId);
});

let lastSender = 0;
const aSender = () => `+4522${String((lastSender += 1)).padStart(6, '0')}`;
let received = 0;
async function receive(from: string, text: string): Promise<void> {
  const at = new Date(Date.now() + aheadSecs * 1000);
  const event = receivedEvent({ from, to: number.number, text });
  await callbacks[(received += 1) % 2]!.receiveCallback(parley.provider.callback(event, at), { timeoutMs: 60_000 });
}
const repliesTo = (to: string) =>
  parley.provider.submitted.filter((one) => one.to === to && one.from === number.number);
const waitUntil = (what: string, condition: () => unknown) => waitFor(async () => condition(), { what });
const allAnswered = () =>
  waitUntil(
    'every command to be done or delayed',
    async () => (await countWithCommands(parley.db, 'messages', { companyId })) === 0,
  );
async function moveClock(secs: number): Promise<void> {
  aheadSecs += secs;
  await parley.moveClock(aheadSecs);
}

describe('HELP and START', () => {
  it('HELP and START are answered once each within an hour, however many come from a sender', async () => {
    const senders = [aSender(), aSender(), aSender()];
    for (let round = 0; round < 10; round += 1)
      await Promise.all(senders.flatMap((from) => [receive(from, 'HELP'), receive(from, 'START')]));
    await allAnswered();
    await waitUntil('the first answers', () => senders.every((from) => repliesTo(from).length >= 2));
    expect(senders.map((from) => repliesTo(from).length)).toEqual([2, 2, 2]);
  });

  it('HELP and START are answered again after the hour', async () => {
    const from = aSender();
    await receive(from, 'HELP');
    await waitUntil('the first answer', () => repliesTo(from).length === 1);
    await moveClock(3500);
    await receive(from, 'INFO');
    await allAnswered();
    expect(repliesTo(from)).toHaveLength(1);
    await moveClock(101);
    await receive(from, 'HELP');
    await waitUntil('the second answer', () => repliesTo(from).length === 2);
  });

  it('HELP and START wait for a place in the budget of the number: the first of a sender is always answered', async () => {
    const senders = Array.from({ length: 33 }, aSender);
    await Promise.all(senders.map((from) => receive(from, 'HELP')));
    const answered = () => senders.filter((from) => repliesTo(from).length > 0).length;
    await waitUntil('thirty answers', () => answered() === 30);
    // Those that are delayed have their times: one that is stored after the clock was moved would be as much later.
    await allAnswered();
    await moveClock(61);
    await waitUntil('the others', () => answered() === 33);
    expect(senders.every((from) => repliesTo(from).length === 1)).toBe(true);
  });
});

describe('the confirmation of STOP', () => {
  it('the confirmation of STOP is sent at once while other automatic texts have used up their budget', async () => {
    await Promise.all(Array.from({ length: 35 }, () => receive(aSender(), 'HELP')));
    const from = aSender();
    await receive(from, 'STOP');
    await waitUntil('the confirmation', () => repliesTo(from).some(({ text }) => /unsubscribed/.test(text)));
  });

  it('the confirmation of STOP is delayed and not dropped when more opt out in a minute than the number confirms', async () => {
    const senders = Array.from({ length: 33 }, aSender);
    await Promise.all(senders.map((from) => receive(from, 'STOP')));
    const confirmed = () => senders.filter((from) => repliesTo(from).length > 0).length;
    await waitUntil('thirty confirmations', () => confirmed() === 30);
    // Those that are delayed have their times: one that is stored after the clock was moved would be as much later.
    await allAnswered();
    await moveClock(61);
    await waitUntil('the others', () => confirmed() === 33);
  });

  it('the confirmation of STOP is sent five times an hour to one sender, and later for the opt-out that is in force', async () => {
    const from = aSender();
    for (let round = 0; round < 10; round += 1) {
      await receive(from, 'STOP');
      await receive(from, 'START');
    }
    await receive(from, 'STOP');
    const confirmations = () => repliesTo(from).filter(({ text }) => /unsubscribed/.test(text)).length;
    await allAnswered();
    // Opt-outs that were revoked before their answer are not confirmed.
    expect(confirmations()).toBeLessThanOrEqual(5);
    await moveClock(3601);
    const before = confirmations();
    await waitUntil('the confirmation of the last', () => confirmations() >= 1);
    expect(confirmations() - before).toBeLessThanOrEqual(1);
    expect(repliesTo(from).length).toBeLessThanOrEqual(8);
  });
});

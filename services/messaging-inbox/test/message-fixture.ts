import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { decodeMessage, type EventType } from '@parley/events';
import { MessageService } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import type { RpcClient } from '@parley/rpc';
import { waitUntil as waitFor } from '@parley/testkit';
import { asEmployee, type FakeNumber } from '@parley/testkit/service';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';

export let parley: TestMessagingInbox;
export let messages: RpcClient<typeof MessageService>;
export let replicas: RpcClient<typeof MessageService>[];
export let callbacks: RpcClient<typeof ProviderCallbackService>[];
export let companyId: string;
export let employeeId: string;
export let me: ReturnType<typeof asEmployee>;
export let number: FakeNumber;

/** Called once in a test file: starts the service, and creates a company for each test. */
export function useMessageFixture(): void {
  beforeAll(async () => {
    parley = await startMessagingInbox({ TEST_CLOCK: 'on' });
    replicas = parley.replicas.map((channel) => channel.client(MessageService));
    callbacks = parley.replicas.map((channel) => channel.client(ProviderCallbackService));
    [messages] = replicas as [RpcClient<typeof MessageService>];
  }, 60_000);
  afterAll(() => parley?.stop());
  beforeEach(() => {
    ({ companyId, ownerId: employeeId } = parley.directory.createCompany({ messagingEnabled: true }));
    me = asEmployee(companyId, employeeId);
    number = parley.numbers.addNumber(companyId);
    parley.provider.behaviour = 'ok';
    parley.provider.release();
  });
}

let lastKey = 0;
export const aKey = () => `key-${(lastKey += 1)}`;
let lastCustomer = 0;
export const customer = () => `+4520${String((lastCustomer += 1)).padStart(6, '0')}`;
const aRequest = (change: object = {}) => ({
  businessNumberId: number.id,
  to: '+4520304050',
  text: 'Hello',
  format: 'sms',
  idempotencyKey: aKey(),
  ...change,
});
/** The timeout of the gateway. */
export const options = { timeoutMs: 27_000 };
export const send = (change: object = {}, as = me, replica = 0) =>
  replicas[replica]!.sendMessage(aRequest(change), { ...as, ...options });
export const sentTo = (to: string) => parley.provider.submitted.filter((one) => one.to === to);
export const refusedWith = (refusal: object) => expect.objectContaining({ refusal: expect.objectContaining(refusal) });
export const statusOf = async (id: string) => (await messages.getMessage({ id }, me)).message?.status;
export const receive = (event: object, replica = 0) =>
  callbacks[replica]!.receiveCallback(parley.provider.callback(event));
export const waitUntil = (what: string, condition: () => unknown) => waitFor(async () => condition(), { what });
export const idOf = (error: unknown) =>
  (error as { refusal: { extra: { message_id: string } } }).refusal.extra.message_id;
export const eventsOf = (id: string) =>
  parley.events
    .filter(({ aggregateId }) => aggregateId === id)
    .map(({ type, data }) => ({
      type,
      message: decodeMessage(type as EventType, data) as { message?: { status: number } },
    }));

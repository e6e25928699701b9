import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AssistantTextService } from '@parley/proto/messaging_inbox/v1/assistant_texts_pb';
import type { RpcClient } from '@parley/rpc';
import type { FakeNumber } from '@parley/testkit/service';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';

let parley: TestMessagingInbox;
let texts: RpcClient<typeof AssistantTextService>;
let companyId: string;
let number: FakeNumber;

beforeAll(async () => {
  parley = await startMessagingInbox();
  texts = parley.as('assistant').client(AssistantTextService);
}, 60_000);
afterAll(() => parley?.stop());
beforeEach(() => {
  ({ companyId } = parley.directory.createCompany({ messagingEnabled: true }));
  number = parley.numbers.addNumber(companyId);
});

let last = 0;
const aPerson = () => `+4523${String((last += 1)).padStart(6, '0')}`;
const send = (to: string, more: { actionId?: string; sessionId?: string; text?: string; companyId?: string } = {}) =>
  texts.sendAssistantText({
    companyId,
    businessNumberId: number.id,
    to,
    text: 'Book at https://example.com',
    sessionId: 'ses_1',
    actionId: `act_${(last += 1)}`,
    ...more,
  });
const sentTo = (to: string) => parley.provider.submitted.filter((one) => one.to === to);

it('an action of an assistant sends its text once, however often it is asked for', async () => {
  const to = aPerson();
  const once = { actionId: 'act_once', sessionId: 'ses_once' };
  const results = await Promise.all([send(to, once), send(to, once), send(to, once)]);
  expect(results.map(({ result }) => result)).toEqual(['sent', 'sent', 'sent']);
  expect(sentTo(to)).toEqual([expect.objectContaining({ from: number.number, text: 'Book at https://example.com' })]);
});

it('a session sends two texts, and a person gets five in a day', async () => {
  const to = aPerson();
  const sessions = ['a', 'a', 'a', 'b', 'b', 'c', 'd'].map((name) => `ses_limit_${name}`);
  const results: string[] = [];
  for (const sessionId of sessions) results.push((await send(to, { sessionId })).result);
  expect(results).toEqual(['sent', 'sent', 'not_possible', 'sent', 'sent', 'sent', 'not_possible']);
  expect(sentTo(to)).toHaveLength(5);
});

it('no text is sent without texting, to a number that may not get one, or from another company’s number', async () => {
  const premium = '+4590123456';
  expect((await send(premium)).result).toBe('not_possible');
  const { companyId: other } = parley.directory.createCompany({ messagingEnabled: true });
  expect((await send(aPerson(), { companyId: other })).result).toBe('not_possible');
  const { companyId: silent } = parley.directory.createCompany({ messagingEnabled: false });
  const own = parley.numbers.addNumber(silent);
  const request = { companyId: silent, businessNumberId: own.id, to: aPerson() };
  expect(await texts.checkAssistantText(request)).toMatchObject({ possible: false });
  expect(await texts.checkAssistantText({ companyId, businessNumberId: number.id, to: aPerson() })).toMatchObject({
    possible: true,
  });
});

it('an empty or a very long text is not sent', async () => {
  expect((await send(aPerson(), { text: '  ' })).result).toBe('not_possible');
  expect((await send(aPerson(), { text: 'x'.repeat(321) })).result).toBe('not_possible');
});

import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from '@jest/globals';
import { InboxAdminService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { MessageSearchService } from '@parley/proto/messaging_inbox/v1/message_search_pb';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { longestStepMs, waitUntil } from '@parley/testkit';
import { asEmployee, asOperator } from '@parley/testkit/service';
import { callbacks, companyId, customer, me, number, parley, useMessageFixture } from './message-fixture.ts';
import { receivedEvent } from './test-provider.ts';

useMessageFixture();

const receive = (text: string, { from = customer(), to = number.number } = {}) =>
  callbacks[0]!.receiveCallback(parley.provider.callback(receivedEvent({ from, to, text })));
const search = (
  query: string,
  options: { businessNumberId?: string; phoneNumber?: string; limit?: number; cursor?: string } = {},
  as = me,
) => parley.replicas[1].client(MessageSearchService).searchMessages({ query, limit: 50, ...options }, as);
const textsOf = async (...args: Parameters<typeof search>) =>
  (await search(...args)).messages.map(({ message }) => message!.text);
const waitFor = (query: string, count: number) =>
  waitUntil(async () => (await textsOf(query)).length === count, { what: `${count} texts with ${query}` });

it('the search finds texts that have every word, newest first, with where they have them', async () => {
  await receive('Two red bicycles, please');
  await receive('The bicycles are blue');
  await receive('Ein Fahrrad für Zoë');
  await waitFor('bicycles', 2);
  expect(await textsOf('BICYCLES')).toEqual(['The bicycles are blue', 'Two red bicycles, please']);
  expect(await textsOf('bicycles red')).toEqual(['Two red bicycles, please']);
  expect(await textsOf('bicycle')).toEqual([]);
  await waitFor('zoe', 1);
  const [found] = (await search('fur zoe')).messages;
  expect(found!.highlights.map(({ start, end }) => found!.message!.text.slice(start, end))).toEqual(['für', 'Zoë']);
});

it('the search filters by business number and by person, and pages', async () => {
  const other = parley.numbers.addNumber(companyId);
  const ane = customer();
  for (let index = 0; index < 5; index++)
    await receive(`invoice ${index}`, {
      from: index % 2 === 0 ? ane : customer(),
      ...(index === 4 && { to: other.number }),
    });
  await waitFor('invoice', 5);
  expect(await textsOf('invoice', { businessNumberId: other.id })).toEqual(['invoice 4']);
  expect(await textsOf('invoice', { phoneNumber: ane })).toEqual(['invoice 4', 'invoice 2', 'invoice 0']);
  expect(await textsOf('invoice 2', { phoneNumber: ane, businessNumberId: number.id })).toEqual(['invoice 2']);
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await search('invoice', { limit: 2, ...(cursor && { cursor }) });
    pages.push(...page.messages.map(({ message }) => message!.text));
    cursor = page.nextCursor;
  } while (cursor);
  expect(pages).toEqual(['invoice 4', 'invoice 3', 'invoice 2', 'invoice 1', 'invoice 0']);
  const { nextCursor } = await search('invoice', { limit: 2 });
  await expect(search('other', { limit: 2, cursor: nextCursor! })).rejects.toMatchObject({
    refusal: { fields: { cursor: ['is invalid'] } },
  });
});

it('the search has shorter pages where texts are long, and others are served while it divides them into words', async () => {
  const long = '今天我们想订购十二辆红色自行车 '.repeat(700).slice(0, 9_990);
  for (let index = 0; index < 12; index++) await receive(`${long} ${index}`);
  const pages: number[] = [];
  let cursor: string | undefined;
  const readAll = async () => {
    do {
      const page = await search('自行车', { limit: 50, ...(cursor && { cursor }) });
      pages.push(page.messages.length);
      expect(page.messages.every(({ highlights }) => highlights.length === 100)).toBe(true);
      cursor = page.nextCursor;
    } while (cursor);
  };
  await waitFor('自行车 11', 1);
  expect(await longestStepMs(readAll)).toBeLessThan(50);
  expect(pages).toEqual([5, 5, 2]);
});

it('the search finds nothing of another company, and stores no readable words', async () => {
  await receive('confidential tulips');
  await waitFor('tulips', 1);
  const stranger = parley.directory.createCompany({ messagingEnabled: true });
  const theirs = asEmployee(stranger.companyId, stranger.ownerId);
  expect(await textsOf('tulips', {}, theirs)).toEqual([]);
  await expect(search('tulips', { businessNumberId: number.id }, theirs)).rejects.toMatchObject({
    refusal: { code: 'not_found' },
  });
  await expect(search('?!')).rejects.toMatchObject({ refusal: { fields: { query: ['must contain a word'] } } });
  const off = parley.directory.createCompany();
  await expect(search('x', {}, asEmployee(off.companyId, off.ownerId))).rejects.toMatchObject({
    refusal: { code: 'not_found' },
  });
  const entries = await parley.db.collection('message_search').find({ companyId }, { raw: true }).toArray();
  expect(entries).toHaveLength(1);
  expect(Buffer.concat(entries as unknown as Buffer[]).includes('tulips')).toBe(false);
});

it('the search forgets an erased person, also an entry that was stored late', async () => {
  const ane = customer();
  await receive('from Ane', { from: ane });
  await receive('from another');
  await waitFor('from', 2);
  const [message] = await parley.db.collection('messages').find({ companyId, externalNumber: ane }).toArray();
  const late = await parley.db.collection('message_search').findOne({ _id: message!._id });
  await parley.db.collection('messages').deleteOne({ _id: message!._id });
  expect(late).not.toBeNull();
  const before = timestampFromDate(new Date());
  for (let position = '', done = false; !done;)
    ({ done, position } = await parley
      .as('directory')
      .client(PersonalDataService)
      .erasePerson({ companyId, phoneNumber: ane, erasureId: 'era_1', before, position }));
  expect(await textsOf('from')).toEqual(['from another']);
  expect(await parley.db.collection('message_search').countDocuments({ companyId })).toBe(1);
});

it('the search finds texts of before there was a search once the inbox is rebuilt', async () => {
  await receive('an old text');
  await waitFor('old', 1);
  await parley.db.collection('message_search').deleteMany({ companyId });
  expect(await textsOf('old')).toEqual([]);
  await parley.replicas[0].client(InboxAdminService).startInboxRebuild({ companyId }, asOperator);
  await waitFor('old', 1);
});

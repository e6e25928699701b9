import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { operate, succeeded } from '../support/api.ts';
import { storedBytes } from '../support/stored-bytes.ts';
import { LIMIT_MS, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

/** Speech is recognised by the local engine, after that of other tests. */
const SPEECH_LIMIT_MS = 5 * LIMIT_MS;
const CUSTOMER = '+4520304050';
const SHOES = 'I would like a refund for my damaged shoes. The sole came off after two days, so I want my money back.';
const TABLE = 'I would like to reserve a table for dinner on Friday evening. It is for four people, near the window.';
const CARD = 'The number of my credit card is four nine two five.';
const LEFT = 'Hello, my bicycle has a flat tyre. Please call me back about the repair before Thursday.';
const TEXT = 'The umbrella was forgotten in the lobby yesterday';
const NOTE = 'Collects porcelain elephants';

let fixture: PhoneCompany;
let shoes: string;
let table: string;
let voicemail: { id: string; transcription: string };

beforeAll(async () => {
  fixture = await openPhoneCompany();
  const { company } = fixture;
  await succeeded(operate(fixture.stack, 'PATCH', `/companies/${company.id}`, { messaging_enabled: true }));
  const ada = await fixture.hire('Ada', true);
  const answered = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
  const converse = async (words: string) => {
    const call = await fixture.talk(answered, ada);
    await fixture.sandbox('POST', `/legs/${call.legId}/say`, { text: words });
    await succeeded(ada.call('PUT', `/calls/${call.callId}/recording`, { paused: true }));
    await fixture.sandbox('POST', `/legs/${call.legId}/say`, { text: CARD });
    await succeeded(ada.call('PUT', `/calls/${call.callId}/recording`, { paused: false }));
    await fixture.over(call);
    await fixture.status(ada, 'available');
    return call.callId;
  };
  shoes = await converse(SHOES);
  table = await converse(TABLE);
  const mailbox = await fixture.number({ type: 'VoicemailConfig', greeting: 'Leave a message.' });
  const legId = await fixture.dial(mailbox);
  const callId = await fixture.callOf(legId);
  await fixture.state(callId, 'recording');
  await fixture.sandbox('POST', `/legs/${legId}/say`, { text: LEFT });
  await fixture.over({ legId, callId });
  await fixture.sandbox('POST', '/messages', { from: CUSTOMER, to: mailbox, text: TEXT });
  await succeeded(company.call('POST', '/contacts', { phone: CUSTOMER, name: 'Ane', note: NOTE }));
  await waitUntil(
    async () => {
      const calls = await Promise.all([shoes, table].map((id) => fixture.call(id)));
      const { body } = await company.call('GET', '/voicemails');
      voicemail = body.voicemails?.[0];
      return calls.every(({ summary }) => summary) && typeof voicemail?.transcription === 'string';
    },
    { what: 'transcripts', timeoutMs: SPEECH_LIMIT_MS },
  );
}, 2 * SPEECH_LIMIT_MS);

const search = (query: string) => fixture.company.call('GET', `/calls?query=${encodeURIComponent(query)}`);

describe('what was said', () => {
  it('what was said is found by its meaning before a call that shares a word that says nothing', async () => {
    const reply = await search('reimbursement for broken footwear');
    expect(reply.body.calls[0].id).toBe(shoes);
    expect(reply.headers.get('search-by')).toMatch(/^words, meaning; model="[^"]+"$/);
  });

  it('what was said is found by its words, and a list without a search says nothing about one', async () => {
    expect((await search('table for four people')).body.calls[0].id).toBe(table);
    expect((await fixture.company.call('GET', '/calls')).headers.get('search-by')).toBeNull();
  });

  it('what was said while the recording was paused is in no transcript', async () => {
    for (const id of [shoes, table]) {
      const { transcription } = await fixture.call(id);
      // Some words are recognised differently when the machine was busy while they were said.
      expect(transcription).toMatch(/refund|shoes|money|table|dinner|friday/i);
      expect(transcription).not.toMatch(/credit|card|nine|925/i);
    }
  });

  it('what was said is shown in the inbox', async () => {
    const path = `/inbox/${encodeURIComponent(CUSTOMER)}/activity`;
    const shown = await waitUntil(
      async () => {
        const { body } = await fixture.company.call('GET', path);
        const items = body.items as { id: string; text?: string; summary?: string; transcription?: string }[];
        const said = new Map(
          items.map(({ id, text, summary, transcription }) => [id, text ?? summary ?? transcription]),
        );
        return said.get(voicemail.id) && said.get(shoes) && said.get(table) ? [...said.values()] : undefined;
      },
      { what: 'the inbox', timeoutMs: LIMIT_MS },
    );
    expect(shown).toEqual(expect.arrayContaining([TEXT, voicemail.transcription, (await fixture.call(shoes)).summary]));
  });

  // The databases of other engines are not in the directory of the stack.
  const itEmbedded = process.env['PARLEY_TEST_ENGINES'] === 'containers' ? it.skip : it;
  itEmbedded('what was said is in no database and in no event as plain text', async () => {
    const calls = await Promise.all([shoes, table].map((id) => fixture.call(id)));
    const texts = [voicemail.transcription, TEXT, ...calls.flatMap((call) => [call.summary, call.transcription])];
    const stored = await storedBytes();
    // Three words are enough to recognise a text by, and too many to be anything else.
    const phrases = texts.flatMap((text: string) => text.match(/\w+ \w+ \w+/g) ?? []);
    expect(phrases.length).toBeGreaterThan(20);
    expect(stored.includes(NOTE)).toBe(true);
    expect(phrases.filter((phrase) => stored.includes(phrase))).toEqual([]);
  });
});

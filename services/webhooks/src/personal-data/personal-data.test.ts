import { expect, it } from '@jest/globals';
import { isExpired } from './personal-data.ts';

const createdAt = new Date('2026-03-02T10:00:00Z');
const cutoff = new Date('2026-03-01T00:00:00Z');
const call = (startedAt: string, summary: string | null = null) =>
  JSON.stringify({ data: { call: { started_at: startedAt, from: '+4520304050', summary } } });
const [OLD, NEW] = ['2026-02-28T10:00:00.000Z', '2026-03-02T09:00:00.000Z'];

it.each([
  ['a call that is too old', 'cal_1:call', call(OLD), { calls: cutoff }, true],
  ['a newer call', 'cal_1:call', call(NEW), { calls: cutoff }, false],
  ['a call that is kept forever', 'cal_1:call', call(OLD), { messages: cutoff }, false],
  ['the words of a call that is kept', 'cal_1:call', call(OLD, 'A greeting.'), { transcripts: cutoff }, true],
  ['a call without words', 'cal_1:call', call(OLD), { transcripts: cutoff }, false],
  ['a session without words', 'ses_1:session', call(OLD), { transcripts: cutoff }, false],
  ['a session that is too old', 'ses_1:session', call(OLD), { calls: cutoff }, true],
  ['a message of a session', 'ses_1:session', `${call(OLD)}{"message":{"text":"x"}}`, { transcripts: cutoff }, true],
  ['a voicemail', 'vml_1:voicemail', JSON.stringify({ created_at: OLD }), { voicemails: cutoff }, true],
  ['a text', 'msg_1:message', JSON.stringify({ created_at: OLD }), { messages: cutoff }, true],
  ['a thread of which the texts are kept', 'thr_1:thread', '{}', { calls: createdAt }, false],
  ['a thread', 'thr_1:thread', '{}', { calls: createdAt, messages: createdAt }, true],
  ['a contact', 'con_1:contact', JSON.stringify({ created_at: OLD }), { calls: cutoff, messages: cutoff }, false],
])('retention decides whether a delivery is removed: %s', (_, subject, body, cutoffs, expected) => {
  expect(isExpired({ subject, event: 'x', createdAt }, () => body, cutoffs)).toBe(expected);
});

import { expect, it } from '@jest/globals';
import type { SessionItem } from './session-item.ts';
import { summarize } from './summarize.ts';

const at = new Date('2030-05-06T10:00:00Z');
const turn = (speaker: 'caller' | 'assistant', text: string, sources: object[] = []): SessionItem =>
  ({
    type: 'turn',
    speaker,
    text,
    spoken: null,
    interrupted: false,
    engine: null,
    sources,
    responseMs: null,
    startedAt: at,
    endedAt: at,
  }) as SessionItem;
const action = (name: string, result: string, target: { id: string; name: string } | null = null): SessionItem => ({
  type: 'action',
  action: name,
  arguments: {},
  target,
  result,
  startedAt: at,
  endedAt: at,
});
const numbered = (...items: SessionItem[]) => items.map((item, index) => ({ sequence: index + 1, item }));
const session = { from: '+4520304050', outcome: 'resolved', language: 'en' } as const;
const nobody = { callerName: null, message: null };
const message = {
  text: 'The boiler leaks.',
  callerName: 'Jane',
  callbackNumber: '+4511223344',
  for: { id: 'emp_1', name: 'Ada' },
  callbackRequested: false,
  wanted: null,
  takenAt: at.toISOString(),
};

it('a summary says who called, what about, and that nothing is left to do', () => {
  const items = numbered(
    turn('assistant', 'Hello'),
    turn('caller', 'Hello'),
    turn('caller', 'Where can I park my car?'),
    turn('assistant', 'Behind the house.', [{ type: 'knowledge_entry', id: 'kno_1' }]),
  );
  expect(summarize(session, nobody, items)).toBe(
    '+4520304050 called. About: “Where can I park my car?”. A question was answered. Nothing is left to do.',
  );
});

it('a summary names the message, for whom it is, and whom to answer', () => {
  expect(summarize({ ...session, outcome: 'message_taken' }, { callerName: 'Jane', message }, [])).toBe(
    'Jane called. Message for Ada: “The boiler leaks.”. Left to do: answer the message (+4511223344).',
  );
});

it('a summary names a caller who is no contact as they said, beside the number that called', () => {
  const content = { callerName: null, message };
  expect(summarize(session, content, [])).toMatch(/^Jane \(\+4520304050\) called\. /);
  expect(summarize({ ...session, from: 'anonymous' }, content, [])).toMatch(/^Jane called\. /);
});

it('a summary says when the caller wants to be called back', () => {
  const wanted = { ...message, callbackRequested: true, wanted: 'tomorrow at three' };
  expect(summarize({ ...session, outcome: 'callback_requested' }, { callerName: null, message: wanted }, [])).toContain(
    'Left to do: call back +4511223344 (tomorrow at three).',
  );
});

it('a summary says who was reached and who was not, and that an abandoned matter is open', () => {
  const ada = { id: 'emp_1', name: 'Ada' };
  const items = numbered(
    action('transfer_call', 'declined', ada),
    action('transfer_call', 'connected', { id: 'emp_2', name: 'Bob' }),
    action('send_text', 'sent'),
  );
  const text = summarize({ ...session, from: 'anonymous', outcome: 'abandoned' }, nobody, items);
  expect(text).toBe(
    'Somebody called. Ada could not be reached. The caller was connected with Bob. A text was sent. Left to do: the matter is open.',
  );
});

it('a summary of a call that was passed on does not say what is left to do', () => {
  expect(summarize({ ...session, outcome: 'fallback' }, nobody, [])).toBe(
    '+4520304050 called. The call was passed on.',
  );
});

it.each(['da', 'de'])('a summary is in the language of the session: %s', (language) => {
  const english = summarize(session, { callerName: 'Jane', message }, []);
  const text = summarize({ ...session, language }, { callerName: 'Jane', message }, []);
  expect(text).not.toBe(english);
  expect(text).toMatch(/^Jane .*The boiler leaks\./);
});

it('a long matter is cut', () => {
  expect(summarize(session, nobody, numbered(turn('caller', 'word '.repeat(100)))).length).toBeLessThan(300);
});

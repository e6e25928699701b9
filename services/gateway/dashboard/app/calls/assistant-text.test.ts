import { describe, expect, it } from '@jest/globals';
import type { AssistantSessionItem } from '../api/schema.d.ts';
import {
  actionText,
  assistantOutcomeText,
  eventText,
  inTranscript,
  leftByAssistant,
  secondsOf,
  type SessionTurn,
  textsOf,
} from './assistant-text.ts';

describe('the conversation of an assistant in words', () => {
  it.each([
    ['resolved', null, 'Resolved by the assistant'],
    ['message_taken', null, 'Message taken'],
    ['fallback', 'key', 'Passed on by the assistant: the caller pressed 0'],
    ['fallback', null, 'Passed on by the assistant'],
    [null, null, undefined],
  ])('the outcome %s (%s) is “%s”', (outcome, reason, text) => {
    expect(assistantOutcomeText(outcome, reason)).toBe(text);
  });

  it.each([
    ['message_taken', 'Message taken'],
    ['callback_requested', 'Wants a callback'],
    ['resolved', undefined],
    [undefined, undefined],
  ] as const)('what an assistant left to do by the outcome %s is “%s”', (outcome, text) => {
    const call = {
      id: 'cal_1',
      type: 'call',
      business_number_id: 'num_1',
      direction: 'inbound',
      missed: false,
    } as const;
    expect(leftByAssistant({ ...call, ...(outcome && { assistant_outcome: outcome }) })).toBe(text);
  });

  it.each([
    ['transfer_call', null, 'Rings Sales'],
    ['transfer_call', 'no_answer', 'Sales did not answer'],
    ['take_message', 'taken', 'Took a message'],
    ['send_text', 'timeout', 'A text failed'],
    ['find_person', 'failed', 'Something did not work'],
  ])('the action %s with the result %s is “%s”', (action, result, text) => {
    expect(actionText({ action, target: { id: 'tgt_1', name: 'Sales' }, result })).toBe(text);
  });

  it('events that the turns show already have no words', () => {
    expect(eventText({ event: 'greeting', detail: null })).toBeUndefined();
    expect(eventText({ event: 'takeover_requested', detail: 'Ada' })).toBe('Ada wants to take over');
  });

  const turnOf = (words: { text: string | null; spoken: string | null; interrupted?: boolean }) =>
    ({ type: 'turn', speaker: 'assistant', interrupted: false, ...words }) as SessionTurn;

  it.each([
    ['We open at nine. And we close', 'We open at nine.', ['We open at nine.', ' And we close']],
    ['We open at nine.', '', ['', 'We open at nine.']],
    // The words that were heard are not always the beginning as it was written.
    ['Ring 44 55', 'Ring forty', ['Ring forty', 'Ring 44 55']],
  ])('what of “%s” was not heard is known when it was interrupted', (text, spoken, expected) => {
    expect(textsOf(turnOf({ text, spoken, interrupted: true }))).toEqual(expected);
    expect(textsOf(turnOf({ text, spoken }))).toEqual([text, '']);
  });

  it('a turn whose words were not kept has none', () => {
    expect(textsOf(turnOf({ text: null, spoken: null })).join('')).toBe('');
    expect(textsOf({ type: 'turn', speaker: 'caller', text: null } as SessionTurn).join('')).toBe('');
  });

  it('the turns that were heard are the first segments of the transcript', () => {
    const turn = (sequence: number, speaker: string, text: string, spoken?: string) =>
      ({ sequence, type: 'turn', speaker, text, spoken }) as AssistantSessionItem;
    const items = [
      { sequence: 1, type: 'event', event: 'disclosed', detail: null, at: '' } as const,
      turn(2, 'assistant', 'Hello. How can I help?', 'Hello.'),
      turn(3, 'caller', 'Ada, please.'),
      turn(4, 'assistant', 'I am connecting you.', ''),
    ];
    const segments = [
      { text: 'Hello.', start_ms: 400 },
      { text: 'Ada, please.', start_ms: 2000 },
      { text: 'Ada speaking.', start_ms: 9000 },
    ];
    expect(inTranscript(items, segments)).toEqual({
      startMs: new Map([
        [2, 400],
        [3, 2000],
      ]),
      turns: 2,
    });
    expect(inTranscript(items, segments.slice(2))).toEqual({ startMs: new Map(), turns: 0 });
  });

  it('what was done between the turns is in the order of the recording, which begins later', () => {
    const at = (secs: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, secs)).toISOString();
    const items = [
      { sequence: 1, type: 'event', event: 'disclosed', detail: null, at: at(1) },
      { sequence: 2, type: 'turn', speaker: 'caller', text: 'Yes.', started_at: at(60) },
      { sequence: 3, type: 'action', action: 'take_message', started_at: at(62) },
      { sequence: 4, type: 'turn', speaker: 'assistant', text: 'Thank you.', started_at: at(62) },
    ] as AssistantSessionItem[];
    const session = { started_at: at(0), items };
    const startMs = new Map([
      [2, 58_500],
      [4, 60_500],
    ]);
    expect([...secondsOf(session, startMs).values()]).toEqual([1, 58.5, 60.5, 60.5]);
    expect([...secondsOf(session).values()]).toEqual([1, 60, 62, 62]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { afterSending, attemptOf, EMPTY_DRAFT, insertAt, parseDraft } from './draft.ts';

const draft = { text: 'Hello', from: 'a' };
const attempt = { key: 'k1', text: 'Hello', from: 'a' };
const newKey = () => 'k2';

describe('a draft', () => {
  it('a draft is sent again under the same key as long as it is the same send', () => {
    expect(attemptOf(draft, 'a', newKey)).toEqual({ ...attempt, key: 'k2' });
    expect(attemptOf({ ...draft, attempt }, 'a', newKey)).toEqual(attempt);
    expect(attemptOf({ ...draft, text: 'Hello!', attempt }, 'a', newKey).key).toBe('k2');
    expect(attemptOf({ ...draft, attempt }, 'b', newKey).key).toBe('k2');
  });

  it('a draft is empty after it was sent, but for what was typed meanwhile', () => {
    expect(afterSending({ ...draft, attempt }, 'Hello')).toEqual({ text: '', from: 'a' });
    expect(afterSending({ ...draft, text: 'Hello and', attempt }, 'Hello')).toMatchObject({ text: 'Hello and' });
    expect(attemptOf(afterSending({ ...draft, text: 'Hello', attempt }, 'Other'), 'a', newKey).key).toBe('k2');
  });

  it('a draft survives being stored, and damage to what is stored', () => {
    expect(parseDraft(JSON.stringify({ ...draft, attempt }))).toEqual({ ...draft, attempt });
    for (const stored of [null, '', 'null', '[', '7', '{"text":7}', '{"attempt":{"key":1}}'])
      expect(parseDraft(stored)).toMatchObject(EMPTY_DRAFT);
  });

  it('a draft takes a snippet in place of the selection', () => {
    expect(insertAt('Dear , bye', 'Ane', 5, 5)).toEqual({ text: 'Dear Ane, bye', caret: 8 });
    expect(insertAt('Dear X, bye', 'Ane', 5, 6)).toEqual({ text: 'Dear Ane, bye', caret: 8 });
  });
});

import { describe, expect, it } from '@jest/globals';
import { createSnippet, type Snippet, updateSnippet } from './snippet.ts';

const now = new Date('2026-03-01T12:00:00Z');
const later = new Date('2026-03-01T13:00:00Z');
const identity = { id: 'snp_1', companyId: 'com_1', createdOrder: 1, slot: 0 };
const snippet: Snippet = { ...identity, title: 'Hi', text: 'Hello', position: 0, createdAt: now, updatedAt: now };

describe('a text snippet', () => {
  it('a text snippet is created with its fields', () => {
    expect(createSnippet(identity, { title: 'Hi', text: 'Hello', position: 0 }, now)).toMatchObject({ state: snippet });
  });

  it.each([
    [{ title: '' }, { title: ['must not be blank'] }],
    [{ title: ' \n' }, { title: ['must not be blank'] }],
    [{ title: 'x'.repeat(129) }, { title: ['is too long (maximum is 128 characters)'] }],
    [{ text: '\t' }, { text: ['must not be blank'] }],
    [{ text: 'x'.repeat(10_001) }, { text: ['is too long (maximum is 10000 characters)'] }],
    [{ position: -1 }, { position: ['must not be negative'] }],
    [
      { title: '', position: -1 },
      { title: ['must not be blank'], position: ['must not be negative'] },
    ],
  ])('a text snippet cannot have %j', (change, fields) => {
    const refusal = { code: 'validation_failed', fields };
    expect(updateSnippet(snippet, change, later)).toMatchObject({ ok: false, refusal });
    expect(createSnippet(identity, { ...snippet, ...change }, now)).toMatchObject({ ok: false, refusal });
  });

  it.each([{ title: '👋'.repeat(128) }, { text: 'x'.repeat(10_000) }, { position: 7 }])(
    'a text snippet can have %j',
    (change) => {
      expect(updateSnippet(snippet, change, later)).toMatchObject({ state: { ...change, updatedAt: later } });
    },
  );

  it('a text snippet stays as it is when nothing changes', () => {
    expect(updateSnippet(snippet, { title: 'Hi' }, later)).toMatchObject({ state: { updatedAt: now } });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { AssistantTestTurn } from '../api/schema.d.ts';
import { answered, begun } from './trial.ts';

const turn: AssistantTestTurn = {
  reply: 'Behind the house.',
  actions: [],
  sources: [],
  understood: true,
  engine: 'embedded',
  duration_ms: 12,
  ended: false,
};

describe('a conversation with an assistant that is tried', () => {
  it('a conversation with an assistant that is tried begins with its first words', () => {
    expect(begun({ id: 'tst_1', reply: 'Hello' })).toEqual({
      sessionId: 'tst_1',
      entries: [{ speaker: 'assistant', text: 'Hello' }],
      hasEnded: false,
    });
  });

  it('a conversation with an assistant that is tried shows each source of an answer once, and its end', () => {
    const entry = { type: 'knowledge_entry', id: 'kno_1' };
    const hours = { type: 'business_hours', id: null };
    const trial = answered(begun({ id: 'tst_1', reply: 'Hello' }), 'Where can I park?', {
      ...turn,
      sources: [entry, hours, entry],
      ended: true,
    });
    expect(trial.entries.slice(1)).toEqual([
      { speaker: 'caller', text: 'Where can I park?' },
      { speaker: 'assistant', text: turn.reply, actions: [], sources: [entry, hours], understood: true },
    ]);
    expect(trial.hasEnded).toBe(true);
  });
});

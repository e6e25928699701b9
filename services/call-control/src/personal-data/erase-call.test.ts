import { describe, expect, it } from '@jest/globals';
import { inConversation } from '../calls/decide/test-call.ts';
import { beginErasure, ERASED_NUMBER, finishErasure } from './erase-call.ts';

describe('a call of a person who is erased', () => {
  it('keeps its number until the last step, and stores nothing any more', () => {
    const { call } = inConversation();
    const begun = beginErasure(call);
    expect(begun).toMatchObject({ state: { from: call.from, isContentRemoved: true }, events: [] });
    if (begun.ok) expect(begun.state.recordings.every(({ isDeleted }) => isDeleted)).toBe(true);
  });

  it('stays as a statistic without the number, notes and tags, and is published once', () => {
    const conversation = inConversation().call;
    const call = { ...conversation, sealedNotes: 'sealed', tagListKeys: [`#tag||${conversation.from}`] };
    const decision = finishErasure(call);
    if (!decision.ok) throw new Error('refused');
    const { state, events } = decision;
    expect(JSON.stringify({ state, events })).not.toContain(call.from);
    expect(state).not.toMatchObject({ sealedNotes: expect.anything() });
    expect(state).toMatchObject({ from: ERASED_NUMBER, remoteNumber: ERASED_NUMBER, startedAt: call.startedAt });
    expect(events).toMatchObject([{ type: 'call-control.call.updated' }]);
    expect(finishErasure(state)).toMatchObject({ state, events: [] });
  });
});

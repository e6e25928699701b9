import { describe, expect, it } from '@jest/globals';
import { ada, inbound, inConversation, transfer } from '../../test/test-call.ts';
import { beginErasure, ERASED_NUMBER, eraseOutsideNumber, finishErasure } from './erase-person.ts';

describe('a call of a person who is erased', () => {
  it('a call of a person who is erased keeps its number until the last step, and stores nothing any more', () => {
    const { call } = inConversation();
    const begun = beginErasure(call);
    expect(begun).toMatchObject({ state: { from: call.from, isContentRemoved: true }, events: [] });
    if (begun.ok) expect(begun.state.recordings.every(({ isDeleted }) => isDeleted)).toBe(true);
  });

  it('a call of a person who is erased stays as a statistic without the number, notes and tags, and is published once', () => {
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

describe('a call that was transferred to somebody outside who is erased', () => {
  const phoneNumber = '+4531323334';
  const target = { phoneNumber, carrier: 0, carriers: 1 };

  it('a call that was transferred to somebody outside who is erased is found by the number, and stays without it, with everything of the caller', () => {
    const test = inConversation();
    test.apply({ type: 'start_transfer', transferId: 'tra_1', actorId: ada.id, target, isBlind: true });
    test.hangUp();
    const { call } = test;
    expect(call).toMatchObject({ state: 'ended', outsideNumbers: [phoneNumber] });
    expect(JSON.stringify(call.timeline)).toContain(phoneNumber);
    const decision = eraseOutsideNumber(call, phoneNumber);
    if (!decision.ok) throw new Error('refused');
    const { state } = decision;
    expect(JSON.stringify(state)).not.toContain(phoneNumber);
    expect(state).toMatchObject({ from: call.from, startedAt: call.startedAt, recordings: call.recordings });
    expect(state.timeline.map(({ what }) => what)).toEqual(call.timeline.map(({ what }) => what));
    expect(state).not.toHaveProperty('outsideNumbers');
    expect(eraseOutsideNumber(state, phoneNumber)).toMatchObject({ state, events: [] });
  });

  it('a call that was transferred to somebody outside who is erased has no plan with a number of a phone outside once it has ended', () => {
    const flow = { type: 'forward', phoneNumber, timeoutSecs: 30, confirm: true } as const;
    const test = inbound(transfer(ada), { noAnswer: { timeoutSecs: 30, flow } });
    expect(JSON.stringify(test.call)).toContain(phoneNumber);
    test.hangUp();
    expect(test.call.state).toBe('ended');
    expect(JSON.stringify(test.call)).not.toContain(phoneNumber);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type Erasure, recordPortion, requestErasure } from './erasure.ts';

const now = new Date('2026-03-02T10:00:00Z');
const later = new Date('2026-03-02T10:05:00Z');
const identity = { id: 'era_1', companyId: 'com_1' };
const parts = ['call-control', 'directory'];
const businessNumbers = ['+4570112233'];

function requested(): Erasure {
  const decision = requestErasure(identity, { phoneNumber: '20 30 40 50', businessNumbers, parts }, 'DK', now);
  if (!decision.ok) throw new Error('refused');
  return decision.state;
}

const portion = (removed: number, isDone: boolean) => ({ removed, position: 'calls/7', isDone, isWaiting: false });

function record(erasure: Erasure, removed: number, isDone: boolean) {
  const decision = recordPortion(erasure, portion(removed, isDone), later);
  if (!decision.ok) throw new Error('refused');
  return decision;
}

describe('an erasure', () => {
  it('an erasure is requested with a number in any format, and its event does not contain the number', () => {
    const decision = requestErasure(identity, { phoneNumber: '20 30 40 50', businessNumbers, parts }, 'DK', now);
    expect(decision).toMatchObject({
      state: { phoneNumber: '+4520304050', state: 'running', logExpiresAt: new Date('2026-04-01T10:00:00Z') },
      commands: [{ kind: 'erase' }],
    });
    if (decision.ok) expect(JSON.stringify(decision.events)).not.toContain('20304050');
  });

  it.each(['', 'nobody', '12'])('an erasure is refused for %j', (phoneNumber) => {
    expect(requestErasure(identity, { phoneNumber, businessNumbers, parts }, 'DK', now)).toMatchObject({
      ok: false,
      refusal: { fields: { phone_number: [expect.any(String)] } },
    });
  });

  it('an erasure counts what each part removes, one part after the other', () => {
    const first = record(requested(), 20, false);
    expect(first).toMatchObject({ commands: [{ kind: 'erase' }] });
    expect(first.state.parts).toMatchObject([
      { removed: 20, position: 'calls/7' },
      { removed: 0, position: '' },
    ]);
    const second = record(first.state, 3, true);
    expect(second).toMatchObject({ state: { state: 'running' }, commands: [{ kind: 'erase' }] });
    expect(second.state.parts).toMatchObject([{ removed: 23, state: 'done' }, { state: 'running' }]);
  });

  it('an erasure forgets the number when its last part is done', () => {
    const done = record(record(requested(), 1, true).state, 2, true);
    expect(done).toMatchObject({ state: { state: 'done', phoneNumber: null, doneAt: later }, commands: [] });
    expect(JSON.stringify(done.state)).not.toContain('20304050');
    expect(record(done.state, 5, true).state).toBe(done.state);
  });

  it('an erasure is refused for a business number of the company, in whatever format', () => {
    const decision = requestErasure(identity, { phoneNumber: '70 11 22 33', businessNumbers, parts }, 'DK', now);
    expect(decision).toMatchObject({
      ok: false,
      refusal: { fields: { phone_number: ['is a business number of the company'] } },
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { type Fact, mergeFacts } from './fact.ts';

const fact = (sequence: number, voicemails: number, more: Partial<Fact> = {}): Fact => ({
  id: 'call_1',
  companyId: 'com_1',
  kind: 'calls',
  at: new Date('2026-11-16T12:00:00Z'),
  sequence,
  readAt: null,
  storedAt: new Date('2026-11-16T12:01:00Z'),
  businessNumberId: 'num_1',
  employeeIds: [],
  cell: { counts: { inbound: 1, ...(voicemails && { voicemails }) }, spreads: {} },
  ...more,
});
const voicemailsAfter = (...facts: readonly Fact[]) =>
  facts.reduce<Fact | undefined>(mergeFacts, undefined)?.cell.counts['voicemails'] ?? 0;

const ended = fact(2, 0);
const created = fact(0, 1);
const lost = fact(3, 0, { isLost: true });
const updated = fact(4, 0);
const readAt = new Date('2026-11-16T13:00:00Z');
const read = (voicemails: number) => fact(0, voicemails, { readAt, storedAt: readAt });

describe('a voicemail', () => {
  it('a voicemail counts whatever comes first, the end of the call or the voicemail', () => {
    expect(voicemailsAfter(ended, created)).toBe(1);
    expect(voicemailsAfter(created, ended)).toBe(1);
    expect(voicemailsAfter(created, ended, updated)).toBe(1);
  });

  it('a voicemail that was withdrawn does not count, in whatever order and however often events come', () => {
    expect(voicemailsAfter(fact(2, 1), created, lost)).toBe(0);
    expect(voicemailsAfter(lost, fact(2, 1), created)).toBe(0);
    expect(voicemailsAfter(created, lost, updated, created)).toBe(0);
  });

  it('a voicemail counts as its owner says when it is read from there', () => {
    expect(voicemailsAfter(ended, created, read(0))).toBe(0);
    expect(voicemailsAfter(ended, read(1))).toBe(1);
    expect(voicemailsAfter(created, lost, read(0), created)).toBe(0);
  });

  it('a voicemail that was announced after it was read from the owner counts', () => {
    expect(voicemailsAfter(read(0), { ...created, storedAt: new Date(readAt.getTime() + 1) })).toBe(1);
    expect(voicemailsAfter({ ...created, storedAt: new Date(readAt.getTime() + 1) }, read(0))).toBe(1);
  });
});

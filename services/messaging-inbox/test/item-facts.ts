import type { ItemContent, ItemFact } from '../src/projection/inbox-item.ts';

export const COMPANY = 'com_1';
export const ANE = '+4520304050';

/** Microseconds since 1970; each fact is a millisecond later than the one before. */
let created = Date.parse('2026-03-01T12:00:00Z') * 1000;
export const call: ItemContent = {
  type: 'call',
  state: 'ended',
  missed: true,
  summary: null,
  employee: null,
  hasTranscription: false,
};
export function fact(given: Partial<ItemFact> & { id: string }): ItemFact {
  return {
    companyId: COMPANY,
    phone: ANE,
    businessNumberId: 'num_1',
    direction: 'inbound',
    from: ANE,
    to: '+4570112233',
    createdAt: (created += 1000),
    durationSecs: null,
    content: call,
    seenAt: null,
    sequence: 1,
    ...given,
  };
}
export const voicemailOf = (callId: string): ItemContent => ({
  type: 'voicemail',
  transcription: null,
  listened: false,
  callId,
});

/** The creation time of the latest fact. */
export const latestTime = (): number => created;

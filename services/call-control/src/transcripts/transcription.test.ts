import { describe, expect, it } from '@jest/globals';
import { isLong, mayWaitMs, orderTranscription } from './transcription.ts';

const order = (kind: 'conversation' | 'voicemail', durationMs: number) => {
  const decision = orderTranscription(undefined, {
    id: 'cal_1-1',
    companyId: 'com_1',
    callId: 'cal_1',
    kind,
    durationMs,
  });
  if (!decision.ok) throw new Error('refused');
  return decision.commands[0]!;
};

describe('the order of transcriptions', () => {
  it('has conversations before voicemails, and short recordings before long ones', () => {
    const [short, long, voicemail] = [
      order('conversation', 5000),
      order('conversation', 90_000),
      order('voicemail', 5000),
    ];
    expect([voicemail, long, short].toSorted((a, b) => mayWaitMs(a) - mayWaitMs(b))).toEqual([short, long, voicemail]);
  });

  it('keeps places for short conversations', () => {
    expect([order('conversation', 5000), order('conversation', 90_000), order('voicemail', 5000)].map(isLong)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is unknown of recordings that were ordered before it was stored', () => {
    expect([mayWaitMs({ kind: 'transcribe' }), isLong({ kind: 'transcribe' })]).toEqual([0, false]);
  });
});

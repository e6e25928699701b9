import { describe, expect, it } from '@jest/globals';
import { type AutoReplyCooldown, autoReplyText, startCooldown } from './auto-reply.ts';

const now = new Date('2026-03-01T12:00:00Z');
const number = {
  id: 'num_1',
  companyId: 'com_1',
  name: 'Support',
  number: '+4570123456',
  language: 'en',
  active: true,
  canSend: true,
  canReceive: true,
  withinBusinessHours: false,
  autoReply: { text: 'We are closed', cooldownMinutes: 60 },
};

describe('an incoming text', () => {
  it('an incoming text outside business hours gets the reply', () => {
    expect(autoReplyText(number, true)).toBe('We are closed');
  });

  it.each([
    ['within business hours', { withinBusinessHours: true }, true],
    ['to a number that cannot send', { canSend: false }, true],
    ['while auto-reply is disabled', { autoReply: null }, true],
    ['while texting is off for the company', {}, false],
  ])('an incoming text %s gets no reply', (_name, change, messagingEnabled) => {
    expect(autoReplyText({ ...number, ...change }, messagingEnabled)).toBeNull();
  });
});

describe('the cooldown', () => {
  const minutesAgo = (minutes: number): AutoReplyCooldown => ({
    id: 'pair',
    companyId: 'com_1',
    messageId: 'msg_1',
    repliedAt: new Date(now.getTime() - minutes * 60_000),
  });
  const winner = (current: AutoReplyCooldown | undefined, messageId: string) => {
    const decision = startCooldown(current, { id: 'pair', companyId: 'com_1', messageId }, 60, now);
    return decision.ok ? decision.state.messageId : undefined;
  };

  it.each([
    ['no reply was sent', undefined, 'msg_2', 'msg_2'],
    ['the last reply is younger', minutesAgo(59), 'msg_2', 'msg_1'],
    ['the last reply is as old', minutesAgo(60), 'msg_2', 'msg_2'],
    ['the same text is dealt with again', minutesAgo(1), 'msg_1', 'msg_1'],
    ['the clock was put back since', minutesAgo(-600), 'msg_2', 'msg_2'],
    ['another replica is a moment ahead', minutesAgo(-0.05), 'msg_2', 'msg_1'],
  ])('the cooldown decides which text is replied to where %s', (_name, current, messageId, expected) => {
    expect(winner(current, messageId)).toBe(expected);
  });
});

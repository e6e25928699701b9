import { decided } from '@parley/errors';
import { describe, expect, it } from '@jest/globals';
import { testNumber } from '../../test/test-number.ts';
import type { TextingSettings } from '../numbers/business-number.ts';
import { updateTextingSettings } from './texting-settings.ts';

const now = new Date('2026-02-01T12:00:00Z');
const update = (change: Partial<TextingSettings>, current = testNumber()) =>
  updateTextingSettings(current, change, now);

describe('texting settings', () => {
  it('texting settings are saved completely with the first change', () => {
    expect(update({ autoReplyCooldownMinutes: 60 })).toMatchObject({
      ok: true,
      state: { textingSettings: { autoReplyEnabled: false, autoReplyText: null, autoReplyCooldownMinutes: 60 } },
      events: [{ type: 'numbers-routing.number.updated' }],
    });
  });

  it('texting settings are not saved by an empty change', () => {
    expect(update({})).toEqual(decided(testNumber()));
  });

  it.each([
    [{ autoReplyEnabled: true }, 'auto_reply_text'],
    [{ autoReplyEnabled: true, autoReplyText: null }, 'auto_reply_text'],
    [{ autoReplyEnabled: true, autoReplyText: ' \n' }, 'auto_reply_text'],
    [{ autoReplyText: 'x'.repeat(10_001) }, 'auto_reply_text'],
    [{ autoReplyCooldownMinutes: 59 }, 'auto_reply_cooldown_minutes'],
    [{ autoReplyCooldownMinutes: 43_201 }, 'auto_reply_cooldown_minutes'],
    [{ autoReplyCooldownMinutes: -60 }, 'auto_reply_cooldown_minutes'],
  ])('texting settings refuse change %#', (change, field) => {
    const decision = update(change);
    expect(decision.ok ? [] : Object.keys(decision.refusal.fields ?? {})).toEqual([field]);
  });

  it.each([
    { autoReplyEnabled: true, autoReplyText: 'Closed' },
    { autoReplyText: '👋'.repeat(10_000) },
    { autoReplyText: '' },
    { autoReplyCooldownMinutes: 60 },
    { autoReplyCooldownMinutes: 43_200 },
  ])('texting settings take change %#', (change) => {
    expect(update(change)).toMatchObject({ ok: true, state: { textingSettings: change } });
  });

  it('texting settings keep a reply that is switched on from losing its text', () => {
    const decision = update({ autoReplyEnabled: true, autoReplyText: 'Closed' });
    const on = decision.ok ? decision.state : testNumber();
    expect(update({ autoReplyText: null }, on).ok).toBe(false);
    expect(update({ autoReplyEnabled: false, autoReplyText: null }, on).ok).toBe(true);
  });
});

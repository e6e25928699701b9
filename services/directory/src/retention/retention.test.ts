import { describe, expect, it } from '@jest/globals';
import { KEPT_FOREVER } from '@parley/personal-data';
import { replaceRetention } from './retention.ts';

describe('retention', () => {
  it('retention is changed as a whole, with what changed in the audit log', () => {
    const first = replaceRetention(undefined, 'com_1', { ...KEPT_FOREVER, calls: 30, messages: 3650 });
    if (!first.ok) throw new Error('refused');
    expect(first.events).toMatchObject([
      {
        type: 'directory.retention.changed',
        days: { calls: 30, messages: 3650, recordings: null },
        audit: {
          type: 'retention.changed',
          object: { type: 'retention', id: 'com_1' },
          changes: { calls_days: { from: null, to: 30 }, messages_days: { from: null, to: 3650 } },
        },
      },
    ]);
    const second = replaceRetention(first.state, 'com_1', { ...KEPT_FOREVER, calls: 1 });
    expect(second).toMatchObject({
      state: { days: { calls: 1, messages: null } },
      events: [{ audit: { changes: { calls_days: { from: 30, to: 1 }, messages_days: { from: 3650, to: null } } } }],
    });
  });

  it('retention that stays as it was is no change', () => {
    expect(replaceRetention(undefined, 'com_1', KEPT_FOREVER)).toMatchObject({ ok: true, events: [] });
  });

  it.each([0, 3651])('retention is not %d days', (days) => {
    expect(replaceRetention(undefined, 'com_1', { ...KEPT_FOREVER, voicemails: days })).toMatchObject({
      ok: false,
      refusal: { fields: { voicemails_days: [expect.any(String)] } },
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { testNumber } from '../../test/test-number.ts';
import type { BusinessNumber } from './business-number.ts';
import { auditOfNewNumber, auditOfNumber } from './number-audit.ts';

const before = testNumber();

describe('the audit log', () => {
  it.each<[string, Partial<BusinessNumber>, string, object]>([
    ['another name', { name: 'Sales' }, 'updated', { name: { from: before.name, to: 'Sales' } }],
    ['recording', { recordingEnabled: false }, 'updated', { recording_enabled: { from: true, to: false } }],
    [
      'a setting for the first time',
      { ringStrategy: 'in_order' },
      'updated',
      { ring_strategy: { from: 'all', to: 'in_order' } },
    ],
    [
      'routing without its prompts',
      { incomingCallConfig: { type: 'RejectConfig', message: 'private words' } },
      'routing_changed',
      { incoming_call_config: { from: '(set)', to: '(set)' } },
    ],
    [
      'an automatic reply without its text',
      { textingSettings: { autoReplyEnabled: true, autoReplyText: 'private words', autoReplyCooldownMinutes: 5 } },
      'texting_settings_changed',
      { texting_settings: { from: null, to: '(set)' } },
    ],
    [
      'fields that are added later',
      { greetings: 'private words' } as never,
      'updated',
      { greetings: { from: null, to: '(set)' } },
    ],
  ])('the audit log records %s', (_what, change, verb, changes) => {
    const audit = auditOfNumber(before, { ...before, ...change });
    expect(audit).toMatchObject({
      type: `business_number.${verb}`,
      object: { id: before.id, name: expect.any(String) },
    });
    expect(audit?.changes).toEqual(changes);
    expect(JSON.stringify(audit)).not.toContain('private words');
  });

  it('the audit log records nothing when only derived fields differ', () => {
    const next: BusinessNumber = { ...before, promptKeys: ['x'], updatedAt: new Date(0) };
    expect(auditOfNumber(before, next)).toBeUndefined();
  });

  it('the audit log records a new number without its prompts', () => {
    const audit = auditOfNewNumber(before);
    expect(audit.changes).toMatchObject({ number: { from: null, to: before.number } });
    expect(audit.changes['outside_business_hours_config']).toEqual({ from: null, to: '(set)' });
  });
});

import { describe, expect, it } from '@jest/globals';
import { deactivationAlert } from './deactivation-alert.ts';

const nothing = { name: 'Emma', role: 'member', apiKeys: [], connectedApps: [], businessNumbers: [] } as const;

describe('the e-mail about a deactivation', () => {
  it('the e-mail about a deactivation is sent only when something has stopped, and always of an owner', () => {
    expect(deactivationAlert(nothing)).toBeUndefined();
    expect(deactivationAlert({ ...nothing, role: undefined })).toBeUndefined();
    expect(deactivationAlert({ ...nothing, role: 'owner' })?.subject).toBe('Emma was deactivated');
  });

  it('the e-mail about a deactivation names keys, apps and business numbers', () => {
    const stopped = { apiKeys: ['CRM', 'Export'], connectedApps: ['Zap'], businessNumbers: ['Front desk'] };
    const { text = '' } = deactivationAlert({ ...nothing, ...stopped }) ?? {};
    for (const named of [': CRM, Export.', ': Zap.', 'within 30 days', 'ring nobody any more: Front desk.'])
      expect(text).toContain(named);
    expect(deactivationAlert({ ...nothing, businessNumbers: ['A'] })?.text).not.toContain('30 days');
  });

  it('the e-mail about a deactivation contains no links of names, and not all of very many', () => {
    const apiKeys = Array.from({ length: 25 }, (_, n) => `key ${n} http://evil.example`);
    const { text = '' } = deactivationAlert({ ...nothing, apiKeys }) ?? {};
    expect(text).toContain('and 5 more.');
    expect(text).not.toContain('http://evil');
  });
});

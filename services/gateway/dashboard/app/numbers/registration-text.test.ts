import { describe, expect, it } from '@jest/globals';
import { registrationText } from './registration-text.ts';

describe('the registration of a number in words', () => {
  it('the registration of a number in words says nothing where none is needed', () => {
    expect(registrationText({ registration_status: 'not_required', registration_due_at: null })).toBe('');
  });

  it('the registration of a number in words names the day by which it is needed', () => {
    const due = '2026-05-04T10:00:00Z';
    expect(registrationText({ registration_status: 'pending', registration_due_at: due })).toContain('by 2026-05-04');
    expect(registrationText({ registration_status: 'submitted', registration_due_at: due })).not.toContain('2026');
  });
});

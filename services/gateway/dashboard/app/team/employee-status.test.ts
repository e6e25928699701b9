import { describe, expect, it } from '@jest/globals';
import { listedEmployees, presenceCounts, statusText } from './employee-status.ts';

describe('the status of an employee', () => {
  it('the status of an employee is shown in words', () => {
    expect(statusText({ status: 'on_call' })).toBe('In a call');
  });

  it('the status of an employee of a later version of the API is unknown', () => {
    expect(statusText({ status: 'on_holiday' as 'unknown' })).toBe('Unknown');
  });
});

describe('the team', () => {
  const one = (name: string, status: string, isInvited = false, active = true) => ({
    id: name,
    name,
    email: `${name}@example.com`,
    status: status as 'available',
    invitation_pending: isInvited,
    active,
  });
  const team = [
    one('Al', 'logged_out', false, false),
    one('Zoe', 'available', true),
    one('Bo', 'ringing'),
    one('Ada', 'logged_out'),
    one('Mia', 'on_call'),
  ];

  it('the team is counted by presence, without who is only invited or deactivated', () => {
    expect(presenceCounts(team)).toEqual({ available: 0, busy: 2, doNotDisturb: 0, away: 1 });
  });

  it('the team is listed by name, oneself first, the invited and then the deactivated last', () => {
    expect(listedEmployees(team, 'Mia', '').map(({ name }) => name)).toEqual(['Mia', 'Ada', 'Bo', 'Zoe', 'Al']);
    expect(listedEmployees(team, 'Mia', ' zo').map(({ name }) => name)).toEqual(['Zoe']);
  });
});

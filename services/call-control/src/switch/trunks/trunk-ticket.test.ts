import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type TrunkTicket, trunkTickets } from './trunk-ticket.ts';

const key = randomBytes(32).toString('base64');
const ticket: TrunkTicket = {
  task: 'ring',
  callId: 'cal_1',
  employeeId: 'emp_1',
  phone: 'sofia/internal/sip:a@10.0.0.9:5060;fs_path=sip%3Aa%4010.0.0.9%3A5060',
  timeoutSecs: 30,
};

function clockAt(ms: number) {
  let now = ms;
  return { now: () => new Date(now), pass: (passed: number) => (now += passed) };
}

describe('trunk tickets', () => {
  it('A ticket is opened by every process that has the key', () => {
    const clock = clockAt(1_000_000);
    expect(trunkTickets([key], clock).open(trunkTickets([key], clock).seal(ticket))).toEqual(ticket);
  });

  it('A ticket is valid for 30 seconds', () => {
    const clock = clockAt(1_000_000);
    const tickets = trunkTickets([key], clock);
    const sealed = tickets.seal(ticket);
    clock.pass(30_000);
    expect(tickets.open(sealed)).toEqual(ticket);
    clock.pass(1);
    expect(tickets.open(sealed)).toBeUndefined();
  });

  it('A ticket that was changed, or made with another key, is none', () => {
    const clock = clockAt(1_000_000);
    const sealed = trunkTickets([key], clock).seal(ticket);
    const [payload = '', signature = ''] = sealed.split('.');
    const forged = Buffer.from(payload, 'base64url').toString().replace('emp_1', 'emp_2');
    const tickets = trunkTickets([key], clock);
    expect(tickets.open(`${Buffer.from(forged).toString('base64url')}.${signature}`)).toBeUndefined();
    expect(trunkTickets([randomBytes(32).toString('base64')], clock).open(sealed)).toBeUndefined();
    for (const text of ['', '.', 'a.b', payload, `${sealed}.`]) expect(tickets.open(text)).toBeUndefined();
  });

  it('A ticket has only characters that a SIP header of the switch takes', () => {
    expect(trunkTickets([key], clockAt(0)).seal(ticket)).toMatch(/^[A-Za-z0-9._-]{1,1600}$/);
  });
});

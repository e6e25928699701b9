import { describe, expect, it } from '@jest/globals';
import {
  mailSent,
  newThreadMail,
  onMailTimer,
  planMail,
  type ThreadMail,
  type ThreadMailDecision,
  transcribed,
} from './thread-mail.ts';

const NOW = new Date('2030-01-01T12:00:00Z');
const after = (secs: number) => new Date(NOW.getTime() + secs * 1000);
const nothing = newThreadMail({ id: 'tml_1', companyId: 'com_1', employeeId: 'emp_1', phone: '+4520304050' });
const stateOf = (decision: ThreadMailDecision<ThreadMail | null>): ThreadMail => {
  if (!decision.ok || !decision.state) throw new Error('refused or removed');
  return decision.state;
};
const waitOf = (decision: ThreadMailDecision) =>
  decision.ok && decision.timers.mail && decision.timers.mail.waitMs / 1000;
const text = (n: number) => ({ kind: 'text' as const, itemId: `msg_${n}`, at: NOW });
const voicemail = { kind: 'voicemail' as const, itemId: 'vm_1', at: NOW };
const sending = stateOf(onMailTimer(stateOf(planMail(nothing, text(1), NOW)), NOW));
const mailed = stateOf(mailSent(sending, NOW));

describe('e-mails about a thread', () => {
  it('e-mails about a thread are sent at once, and an event that is applied again plans none', () => {
    const first = planMail(nothing, text(1), NOW);
    expect(waitOf(first)).toBe(0);
    expect(onMailTimer(stateOf(first), NOW)).toMatchObject({
      state: { pending: { items: [] }, sending: { items: [{ itemId: 'msg_1' }] } },
      commands: [{ kind: 'mail' }],
    });
    expect(planMail(mailed, text(1), after(1))).toMatchObject({ state: mailed, timers: {} });
  });

  it('e-mails about a thread wait ten minutes after the last one, and then are one', () => {
    const second = planMail(mailed, text(2), after(60));
    expect(waitOf(second)).toBe(540);
    const third = planMail(stateOf(second), text(3), after(120));
    expect(waitOf(third)).toBe(480);
    expect(onMailTimer(stateOf(third), after(599))).toMatchObject({ commands: [], timers: { mail: { waitMs: 1000 } } });
    expect(onMailTimer(stateOf(third), after(600))).toMatchObject({
      state: { sending: { items: [{ itemId: 'msg_2' }, { itemId: 'msg_3' }] } },
    });
  });

  it('e-mails about a thread wait for one that cannot be sent', () => {
    const next = planMail(sending, text(2), after(1));
    expect(next).toMatchObject({ timers: {} });
    expect(onMailTimer(stateOf(next), after(700))).toMatchObject({ commands: [] });
    const sent = mailSent(stateOf(next), after(3600));
    expect(sent).toMatchObject({ state: { sending: null, pending: { items: [{ itemId: 'msg_2' }] } } });
    expect(waitOf(sent)).toBe(600);
  });

  it('e-mails about a voicemail wait for what it says, for two minutes at most', () => {
    const left = planMail(nothing, voicemail, NOW, true);
    expect(waitOf(left)).toBe(120);
    expect(waitOf(transcribed(stateOf(left), 'vm_1', after(30)))).toBe(0);
    expect(transcribed(stateOf(left), 'vm_2', after(30))).toMatchObject({ timers: {} });
    expect(waitOf(planMail(stateOf(left), text(1), after(20)))).toBe(100);
    expect(onMailTimer(stateOf(left), after(120))).toMatchObject({ state: { sending: { items: [voicemail] } } });
  });

  it('e-mails about a thread list a bounded number of items and count the others', () => {
    let many = mailed;
    for (let n = 2; n < 32; n++) many = stateOf(planMail(many, text(n), after(n)));
    expect(many.pending).toMatchObject({ omitted: 10 });
    expect(many.pending.items).toHaveLength(20);
    expect(onMailTimer(many, after(700))).toMatchObject({
      state: { pending: { omitted: 0 }, sending: { omitted: 10 } },
    });
  });

  it('e-mails about a thread are forgotten a day after the last one', () => {
    expect(waitOf(mailSent(sending, NOW))).toBe(24 * 3600);
    expect(onMailTimer(mailed, after(24 * 3600))).toMatchObject({ state: null });
  });
});

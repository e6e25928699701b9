import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Employee, LIMIT_MS, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { clearFaults, setFaults } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';

export function testCalls(stack: LocalStack): void {
  let fixture: PhoneCompany;
  let ada: Employee;
  let bob: Employee;
  let number: string;

  beforeAll(async () => {
    fixture = await openPhoneCompany(stack.local);
    [ada, bob] = [await fixture.hire('Ada', true), await fixture.hire('Bob', true)];
    number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
  }, 300_000);
  beforeEach(async () => {
    await Promise.all([fixture.status(ada, 'available'), fixture.status(bob, 'available')]);
  });

  const arrive = async (to: string) => {
    const legId = await fixture.dial(to);
    return { legId, callId: await fixture.callOf(legId) };
  };

  it('nobody answers in time, so the fallback takes over, and phones stop ringing', async () => {
    const impatient = await fixture.number(
      { type: 'TransferConfig', employee_ids: [ada.id] },
      { noAnswer: { type: 'VoicemailConfig', greeting: 'Nobody is here.', timeout_secs: 15 } },
    );
    const call = await arrive(impatient);
    await fixture.rings(ada);
    await fixture.advance(16);
    await fixture.waitUntilHeard(call.legId, 'Nobody is here.');
    await fixture.waitUntilIdle(ada);
    await fixture.over(call);
    expect((await fixture.call(call.callId)).answered_at).toBeNull();
  }, 300_000);

  it('the wait queue passes over an employee who declines for 15 seconds, and rings them again after that', async () => {
    const call = await arrive(number);
    await fixture.decline(ada);
    await fixture.state(call.callId, 'queued');
    await fixture.waitUntilIdle(ada);
    await fixture.advance(16);
    expect((await fixture.rings(ada)).call_id).toBe(call.callId);
    await fixture.over(call);
  });

  describe('a voicemail whose end is not reported, because the switch is unreachable,', () => {
    let voicemail: string;
    beforeAll(async () => {
      voicemail = await fixture.number({ type: 'VoicemailConfig', greeting: 'Leave a message.' });
    }, 300_000);

    /** The caller hangs up while the switch is unreachable. */
    async function left(speech: string): Promise<{ legId: string; callId: string }> {
      const call = await arrive(voicemail);
      await fixture.state(call.callId, 'recording');
      await setFaults(stack.local, { switch: 'down' });
      try {
        await fixture.sandbox('POST', `/legs/${call.legId}/say`, { text: speech });
        await fixture.hangUp(call.legId);
      } finally {
        await clearFaults(stack.local);
      }
      await fixture.state(call.callId, 'ended');
      return call;
    }
    const kept = async () => (await fixture.company.call('GET', '/voicemails')).body.voicemails;

    it('a voicemail exists once its audio has been fetched', async () => {
      const { callId } = await left('Please call me back about the order, as soon as you can.');
      await fixture.events(callId, 'voicemail.new');
      await waitUntil(async () => (await kept())[0]?.recording_url, { what: 'the audio', timeoutMs: LIMIT_MS });
      expect(await fixture.events(callId, 'call.ended')).not.toContain('call.lost');
    }, 300_000);
  });

  describe('a warm transfer', () => {
    let call: { legId: string; callId: string };
    beforeEach(async () => {
      call = await fixture.talk(number, ada);
    });
    const start = () => ada.call('POST', `/calls/${call.callId}/transfers`, { employee_id: bob.id });
    const started = () =>
      waitUntil(
        async () => {
          const reply = await start();
          return reply.status === 201 && reply;
        },
        { what: 'a transfer', timeoutMs: LIMIT_MS },
      );

    it('a warm transfer is cancelled after 30 seconds without an answer', async () => {
      await started();
      await fixture.rings(bob);
      await fixture.advance(31);
      expect((await ada.call('GET', '/calls/active')).body).toMatchObject({
        call: { state: 'bridged' },
        transfer: null,
      });
      await fixture.waitUntilIdle(bob);
      await fixture.over(call);
    });

    it('a warm transfer cannot start while the switch is unreachable; the call continues', async () => {
      await setFaults(stack.local, { switch: 'down' });
      try {
        await waitUntil(
          async () => {
            const { status, body } = await start();
            return status === 502 && body.error === 'esl_unreachable';
          },
          { what: '502' },
        );
      } finally {
        await clearFaults(stack.local);
      }
      expect((await started()).body.transfer.state).toBe('ringing');
      await fixture.over(call);
    });
  });
}

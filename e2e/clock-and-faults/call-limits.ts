import { beforeAll, expect, it } from '@jest/globals';
import { type Employee, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { resetClock } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';

export function testCallLimits(stack: LocalStack): void {
  let fixture: PhoneCompany;
  let ada: Employee;
  let number: string;

  beforeAll(async () => {
    fixture = await openPhoneCompany(stack.local);
    ada = await fixture.hire('Ada', true);
    number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
  }, 300_000);

  const endOf = async (legId: string) => {
    await fixture.legState(legId, 'ended');
    return (await fixture.leg(legId)).hangup_cause;
  };

  it('as many calls begin in a minute as may begin, and again in the next minute', async () => {
    await fixture.limits({ calls_per_minute: 2 });
    const admitted: { legId: string; callId: string }[] = [];
    for (let minute = 0; minute < 2; minute++) {
      for (let n = 0; n < 2; n++) {
        const legId = await fixture.dial(number);
        admitted.push({ legId, callId: await fixture.callOf(legId) });
      }
      expect(await endOf(await fixture.dial(number))).toBe('USER_BUSY');
      await fixture.advance(60);
    }
    await fixture.over(...admitted);
    await fixture.limits({ calls_per_minute: 300 });
    await fixture.waitUntilIdle(ada);
  }, 300_000);

  it('a call ends after four hours, and its timeline says why', async () => {
    await fixture.status(ada, 'available');
    const { legId, callId } = await fixture.talk(number, ada);
    await fixture.advance(4 * 3600 - 60);
    expect((await fixture.call(callId)).state).toBe('bridged');
    await fixture.advance(61);
    await fixture.state(callId, 'ended');
    expect(await endOf(legId)).toBe('ALLOTTED_TIMEOUT');
    const { body } = await fixture.company.call('GET', `/calls/${callId}/timeline`);
    expect(body.entries.map(({ what }: { what: string }) => what)).toContain('max_length');
    await fixture.waitUntilIdle(ada);
    await resetClock(stack.local);
  }, 300_000);
}

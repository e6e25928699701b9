import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { type AssistantCompany, openAssistantCompany } from '../assistants/assistant-company.ts';
import { type Employee, LIMIT_MS } from '../calls/phone-company.ts';
import { resetClock } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';

export function testAssistants(stack: LocalStack): void {
  let fixture: AssistantCompany;
  let oliver: Employee;
  let number: string;

  beforeAll(async () => {
    fixture = await openAssistantCompany({ max_duration_secs: 60 }, stack.local);
    oliver = await fixture.hire('Oliver', true);
    number = await fixture.number(fixture.config);
  }, 300_000);
  beforeEach(() => resetClock(stack.local));

  it('a caller whose person does not answer for thirty seconds is back with the assistant', async () => {
    const { legId, callId } = await fixture.callAssistant(number);
    await fixture.say(legId, 'Could you connect me with Oliver?');
    await fixture.rings(oliver);
    expect(await fixture.call(callId)).toMatchObject({ state: 'transferring', assistant: { state: 'transferring' } });
    expect((await oliver.call('GET', '/calls/active')).body).toMatchObject({
      transfer: { from_employee: null, from_assistant: { name: 'Robin' } },
      assistant: { name: 'Robin' },
    });
    await fixture.advance(31);
    const action = await fixture.item(callId, 'the result', ({ action: name, result }) => !!name && !!result);
    expect(action).toMatchObject({ action: 'transfer_call', result: 'no_answer' });
    expect((await fixture.phone(oliver)).legs).toEqual([]);
    expect(await fixture.state(callId, 'queued')).toMatchObject({ queue_position: null, answered_at: null });
    await fixture.over({ legId, callId });
  }, 300_000);

  it('a caller who talks with an assistant for as long as it may is told before, and goes on with the fallback', async () => {
    const { legId, callId } = await fixture.callAssistant(number);
    await fixture.advance(31);
    await fixture.item(callId, 'the warning', ({ event }) => event === 'limit_warning');
    expect((await fixture.call(callId)).assistant).toMatchObject({ state: 'talking' });
    await fixture.advance(30);
    await fixture.waitUntilHeard(legId, 'Please leave a message.');
    const session = await waitUntil(
      async () => {
        const read = await fixture.session(callId);
        return read.state === 'ended' ? read : undefined;
      },
      { what: 'the end of the session', timeoutMs: LIMIT_MS },
    );
    expect(session).toMatchObject({ outcome: 'fallback', fallback_reason: 'limit_duration' });
    await fixture.over({ legId, callId });
  }, 300_000);
}

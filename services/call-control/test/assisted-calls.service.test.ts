import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CallAssistantState, CallState } from '@parley/proto/call_control/v1/calls_pb';
import { storedDocument, waitUntil } from '@parley/testkit';
import { type AssistedCalls, CALLER, NUMBER, sessionOf, startAssistedCalls } from './start-assisted-calls.ts';

let stack: AssistedCalls;
let ada: string;
let bob: string;
beforeAll(async () => {
  stack = await startAssistedCalls({ case: 'transfer', value: { employeeIds: [] } });
  [ada, bob] = stack.employees as [string, string];
  stack.route.fallback = { case: 'transfer', value: { employeeIds: [ada, bob] } };
  await stack.register(ada);
  await stack.register(bob);
});
beforeEach(() => {
  stack.assistant.refused = null;
});
afterAll(() => stack?.stop());

const callIdOf = async (legId: string) => {
  const calls = stack.callControl.db.collection<{ _id: string; customerLegId: string }>('calls');
  return (await calls.findOne({ customerLegId: legId }))?._id;
};
const created = (find: (leg: AssistedCalls['phones']['created'][number]) => boolean, from: number) =>
  stack.phones.created.slice(from).find(find)?.legId;
const callOf = async (callId: string) => (await stack.calls.getCall({ id: callId }, stack.as(ada))).call!;
const told = (callId: string) =>
  (stack.assistant.told.get(sessionOf(callId)) ?? []).map(({ update }) =>
    update.case === 'transfer' ? (update.value.update.value ?? '') : (update.case ?? ''),
  );
const isWith = (one: string, other: string) => stack.phones.bridges.get(one) === other;

/** A caller talks with the assistant. */
async function talking() {
  const { phones, assistant } = stack;
  const before = phones.created.length;
  const caller = phones.arrive({ from: CALLER, to: NUMBER });
  const assistantLeg = await waitUntil(() => created(({ dialString }) => dialString.includes(':5090'), before), {
    what: 'the call to the assistant',
  });
  const callId = (await callIdOf(caller))!;
  phones.answer(assistantLeg);
  await waitUntil(() => told(callId).includes('connected'), { what: 'the connection' });
  expect(isWith(caller, assistantLeg)).toBe(true);
  const request = { callId, sessionId: sessionOf(callId) };
  const hangUp = async () => {
    phones.hangUp(caller);
    await waitUntil(() => told(callId).includes('ended'), { what: 'the end of the session' });
  };
  return { caller, callId, assistantLeg, request, reserved: assistant.reserved.length, hangUp, before };
}

/** The assistant rings employees. */
async function transferring(employeeIds: string[], actionId = 'act_1') {
  const call = await talking();
  const transfer = { targetName: 'Sales', callerName: 'Jane Hansen', matter: 'A broken bicycle' };
  const start = () => stack.actions.startAssistantTransfer({ ...call.request, actionId, employeeIds, ...transfer });
  const { result } = await start();
  const legOf = (employeeId: string) =>
    waitUntil(() => created((leg) => leg.employeeId === employeeId, call.before), { what: 'the ringing' });
  return { ...call, actionId, result, start, legOf };
}

describe('a call with an assistant', () => {
  it('a call with an assistant is reserved, dialled, bridged and told about, and shown with its assistant', async () => {
    const call = await talking();
    expect(stack.assistant.reserved.at(-1)).toEqual({
      callId: call.callId,
      attempt: 1,
      assistantId: 'ast_1',
      fallbackEmployeeIds: [ada, bob],
    });
    const shown = await callOf(call.callId);
    expect(shown).toMatchObject({
      state: CallState.INITIATED,
      assistant: { id: 'ast_1', name: 'Robin', state: CallAssistantState.TALKING, engine: 'embedded' },
    });
    await stack.actions.reportSession({
      ...call.request,
      revision: 1,
      engine: 'endpoint',
      outcomeIfLeft: 'message_taken',
    });
    await call.hangUp();
    const ended = await callOf(call.callId);
    expect(ended.assistant).toMatchObject({
      state: CallAssistantState.LEFT,
      outcome: 'message_taken',
      engine: 'endpoint',
    });
    expect([ended.missed, ended.state]).toEqual([false, CallState.ENDED]);
    expect(stack.phones.legs.has(call.assistantLeg)).toBe(false);
  });

  it('a call with an assistant goes to the fallback when no session is admitted', async () => {
    stack.assistant.refused = 'limit_minutes';
    const caller = stack.phones.arrive({ from: CALLER, to: NUMBER });
    const callId = await waitUntil(() => callIdOf(caller), { what: 'the call' });
    await waitUntil(async () => (await callOf(callId)).state === CallState.TRANSFERRING, { what: 'the ringing' });
    expect((await callOf(callId)).assistant).toMatchObject({
      outcome: 'fallback',
      fallbackReason: 'limit_minutes',
      state: CallAssistantState.LEFT,
    });
    stack.phones.hangUp(caller);
  });

  it('a call with an assistant goes on with another process when the leg is lost', async () => {
    const call = await talking();
    stack.phones.hangUp(call.assistantLeg, 'MEDIA_TIMEOUT');
    const second = await waitUntil(() => created(({ dialString }) => dialString.includes('_2@'), call.before), {
      what: 'the second call to the assistant',
    });
    stack.phones.answer(second);
    await waitUntil(() => isWith(call.caller, second), { what: 'the second connection' });
    await waitUntil(() => told(call.callId).length === 2, { what: 'the news' });
    await call.hangUp();
  });

  it('a call with an assistant takes no actions of a process that was frozen while another one took its place', async () => {
    const call = await talking();
    const frozen = { ...call.request, attempt: 1 };
    stack.phones.hangUp(call.assistantLeg, 'MEDIA_TIMEOUT');
    const second = await waitUntil(() => created(({ dialString }) => dialString.includes('_2@'), call.before), {
      what: 'the second call to the assistant',
    });
    const refused = { refusal: { code: 'conflict' } };
    await expect(stack.actions.runFallback({ ...frozen, reason: 'failed' })).rejects.toMatchObject(refused);
    await expect(stack.actions.endAssistedCall(frozen)).rejects.toMatchObject(refused);
    const transfer = { actionId: 'act_1', employeeIds: [ada], targetName: 'Sales' };
    await expect(stack.actions.startAssistantTransfer({ ...frozen, ...transfer })).rejects.toMatchObject(refused);
    stack.phones.answer(second);
    await waitUntil(() => isWith(call.caller, second), { what: 'the second connection' });
    await stack.actions.endAssistedCall({ ...frozen, attempt: 2 });
    await waitUntil(() => told(call.callId).includes('ended'), { what: 'the end of the session' });
  });

  it('a call with an assistant that leaves during its words is told what it missed once it is back', async () => {
    const call = await talking();
    stack.assistant.isAway = true;
    stack.phones.hangUp(call.caller);
    await waitUntil(async () => (await callOf(call.callId)).state === CallState.ENDED, { what: 'the end' });
    stack.assistant.isAway = false;
    await waitUntil(() => told(call.callId).includes('ended'), { what: 'the end of the session' });
  });

  it('a call with an assistant takes no actions of another session, and none of other services', async () => {
    const call = await talking();
    const foreign = { ...call.request, sessionId: 'ses_other' };
    await expect(stack.actions.endAssistedCall(foreign)).rejects.toMatchObject({ refusal: { code: 'not_found' } });
    await expect(stack.actions.runFallback({ ...foreign, reason: 'key' })).rejects.toThrow();
    await stack.actions.endAssistedCall(call.request);
    await waitUntil(() => told(call.callId).includes('ended'), { what: 'the end of the session' });
    await stack.actions.endAssistedCall(call.request);
    await stack.actions.runFallback({ ...call.request, reason: 'key' });
    expect((await callOf(call.callId)).assistant?.outcome).toBe('abandoned');
  });
});

describe('a transfer by an assistant', () => {
  it('a transfer by an assistant rings, tells the employee who calls, and connects the two', async () => {
    const call = await transferring([ada]);
    expect(call.result).toBeUndefined();
    const adaLeg = await call.legOf(ada);
    // Repeated, it rings nobody again.
    await call.start();
    const active = await stack.calls.getActiveCall({}, stack.as(ada));
    expect(active).toMatchObject({
      call: { id: call.callId, state: CallState.TRANSFERRING },
      transfer: { id: 'act_1', fromAssistant: { id: 'ast_1', name: 'Robin' }, toEmployee: { id: ada } },
      assistant: { name: 'Robin', callerName: 'Jane Hansen', matter: 'A broken bicycle' },
    });
    expect(active.transfer?.fromEmployee).toBeUndefined();
    expect((await stack.calls.getActiveCall({}, stack.as(bob))).call).toBeUndefined();
    expect(JSON.stringify(await storedDocument(stack.callControl.db, 'calls', call.callId))).not.toContain('bicycle');
    stack.phones.answer(adaLeg);
    await waitUntil(() => isWith(call.assistantLeg, adaLeg), { what: 'the whisper' });
    await stack.actions.finishWhisper({ ...call.request, actionId: call.actionId });
    await waitUntil(() => isWith(call.caller, adaLeg), { what: 'the connection' });
    await waitUntil(() => told(call.callId).includes('connected') && told(call.callId).includes('ended'), {
      what: 'the news',
    });
    expect(stack.phones.legs.has(call.assistantLeg)).toBe(false);
    expect(await callOf(call.callId)).toMatchObject({
      state: CallState.BRIDGED,
      employees: [{ id: ada }],
      assistant: { outcome: 'transferred' },
    });
    stack.phones.hangUp(adaLeg);
    await waitUntil(async () => (await callOf(call.callId)).state === CallState.ENDED, { what: 'the end' });
  });

  it('a transfer by an assistant brings the caller back within a second when everybody declines', async () => {
    const call = await transferring([ada, bob]);
    for (const id of [ada, bob]) stack.phones.hangUp(await call.legOf(id), 'CALL_REJECTED');
    await waitUntil(() => told(call.callId).includes('declined'), { what: 'the result' });
    expect(isWith(call.caller, call.assistantLeg)).toBe(true);
    expect((await callOf(call.callId)).state).toBe(CallState.QUEUED);
    await call.hangUp();
  });

  it('a transfer by an assistant brings the caller back within a second when nobody answers for 30 seconds', async () => {
    const call = await transferring([ada]);
    const adaLeg = await call.legOf(ada);
    await stack.callControl.moveClock(29);
    expect([told(call.callId).includes('no_answer'), stack.phones.legs.has(adaLeg)]).toEqual([false, true]);
    const movedAt = performance.now();
    await stack.callControl.moveClock(31);
    await waitUntil(() => isWith(call.caller, call.assistantLeg), { what: 'the connection with the assistant' });
    expect(performance.now() - movedAt).toBeLessThan(1000);
    await waitUntil(() => told(call.callId).includes('no_answer'), { what: 'the result' });
    expect(stack.phones.legs.has(adaLeg)).toBe(false);
    await call.hangUp();
  });

  it('a transfer by an assistant to nobody who is available leaves the caller where it is', async () => {
    const busy = await transferring([ada]);
    const call = await transferring([ada, 'emp_unknown'], 'act_2');
    expect(call.result).toBe('unavailable');
    expect(isWith(call.caller, call.assistantLeg)).toBe(true);
    const { entries } = await stack.calls.getCallTimeline({ id: call.callId }, stack.as(ada));
    expect(entries.findLast(({ type }) => type === 'assistant')).toMatchObject({
      what: 'transfer_unavailable',
      detail: 'Sales',
    });
    await call.hangUp();
    await busy.hangUp();
  });

  it('a transfer by an assistant to a phone that the company may not call is not allowed', async () => {
    const call = await talking();
    const to = (phoneNumber: string) =>
      stack.actions.startAssistantTransfer({ ...call.request, actionId: 'act_out', phoneNumber, targetName: 'Boss' });
    expect((await to('+19005550100')).result).toBe('not_allowed');
    expect((await to(CALLER)).result).toBe('not_allowed');
    expect((await to('112')).result).toBe('not_allowed');
    await call.hangUp();
  });

  it('a transfer by an assistant stops ringing when the caller hangs up', async () => {
    const call = await transferring([ada]);
    const adaLeg = await call.legOf(ada);
    await call.hangUp();
    await waitUntil(() => !stack.phones.legs.has(adaLeg), { what: 'the silence' });
  });
});

describe('a takeover', () => {
  it('a takeover rings the employee, connects the caller, and is refused where it makes no sense', async () => {
    const call = await talking();
    const start = (employeeId: string) => stack.takeovers.startTakeover({ callId: call.callId }, stack.as(employeeId));
    expect(await start(bob)).toMatchObject({ employee: { id: bob, name: 'Bob' } });
    await expect(start(ada)).rejects.toMatchObject({ refusal: { code: 'takeover_in_progress' } });
    const bobLeg = await waitUntil(() => created(({ employeeId }) => employeeId === bob, call.before), {
      what: 'the ringing',
    });
    expect(isWith(call.caller, call.assistantLeg)).toBe(true);
    stack.phones.answer(bobLeg);
    await waitUntil(() => isWith(call.caller, bobLeg), { what: 'the connection' });
    await waitUntil(() => told(call.callId).includes('ended'), { what: 'the end of the session' });
    expect((await callOf(call.callId)).assistant?.outcome).toBe('taken_over');
    await expect(start(ada)).rejects.toMatchObject({ refusal: { code: 'assistant_not_in_call' } });
    stack.phones.hangUp(call.caller);
    await waitUntil(async () => (await callOf(call.callId)).state === CallState.ENDED, { what: 'the end' });
  });

  it('a takeover that is withdrawn rings no more, and needs a free phone', async () => {
    const call = await talking();
    await stack.takeovers.startTakeover({ callId: call.callId }, stack.as(bob));
    const bobLeg = await waitUntil(() => created(({ employeeId }) => employeeId === bob, call.before), {
      what: 'the ringing',
    });
    await stack.takeovers.cancelTakeover({ callId: call.callId }, stack.as(bob));
    await waitUntil(() => !stack.phones.legs.has(bobLeg), { what: 'the silence' });
    await stack.takeovers.cancelTakeover({ callId: call.callId }, stack.as(bob));
    const busy = await transferring([bob], 'act_busy');
    await expect(stack.takeovers.startTakeover({ callId: call.callId }, stack.as(bob))).rejects.toMatchObject({
      refusal: { code: 'employee_unavailable' },
    });
    await busy.hangUp();
    const unknown = { callId: 'cal_unknown' };
    await expect(stack.takeovers.startTakeover(unknown, stack.as(bob))).rejects.toMatchObject({
      refusal: { code: 'not_found' },
    });
    await call.hangUp();
  });
});

describe('a callback that an assistant promises', () => {
  it('a callback that an assistant promises waits for its employees after the goodbye', async () => {
    const call = await talking();
    const ask = (more: { number?: string; employeeIds?: string[] } = {}) =>
      stack.actions.requestAssistantCallback({ ...call.request, actionId: 'act_call', ...more });
    stack.route.isOpen = false;
    expect((await ask()).result).toBe('closed');
    stack.route.isOpen = true;
    expect((await ask({ number: '+19005550100' })).result).toBe('not_allowed');
    expect((await ask({ employeeIds: ['emp_unknown'] })).result).toBe('closed');
    expect((await ask({ employeeIds: [bob] })).result).toBe('queued');
    expect((await ask({ employeeIds: [bob] })).result).toBe('queued');
    await stack.actions.endAssistedCall(call.request);
    const bobLeg = await waitUntil(() => created(({ employeeId }) => employeeId === bob, call.before), {
      what: 'the ringing for the callback',
    });
    expect(await callOf(call.callId)).toMatchObject({ assistant: { outcome: 'callback_requested' } });
    stack.phones.answer(bobLeg);
    const back = await waitUntil(() => created(({ dialString }) => dialString.includes(CALLER), call.before), {
      what: 'the call back',
    });
    stack.phones.answer(back);
    await waitUntil(() => isWith(bobLeg, back) || isWith(back, bobLeg), { what: 'the conversation' });
    stack.phones.hangUp(back);
    await waitUntil(async () => (await callOf(call.callId)).state === CallState.ENDED, { what: 'the end' });
  });
});

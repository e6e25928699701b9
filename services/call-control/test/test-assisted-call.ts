import type { SessionUpdate } from '../src/calls/model/call-assistant.ts';
import type { CallNumber } from '../src/calls/model/call.ts';
import type { AssistantFlow, StepFlow } from '../src/calls/model/call-flow.ts';
import { inbound, rejection, type TestCall } from './test-call.ts';

export const robin = { id: 'ast_robin', name: 'Robin' };
export const ACTION = 'act_1';

export const answeredBy = (fallback: StepFlow = rejection): AssistantFlow => ({
  type: 'assistant',
  assistantId: robin.id,
  name: robin.name,
  fallback,
});

export const reservation = (attempt: number) => ({
  sessionId: 'ses_1',
  address: `sip:reservation-${attempt}@127.0.0.1:5090`,
  assistantName: 'Robin',
  engine: 'embedded' as const,
});

/** A session was admitted, and its leg is called. */
export function admit(test: TestCall, attempt = 1): string {
  const command = { kind: 'reserve_assistant', attempt } as const;
  test.settle(command, { kind: 'reserve_assistant', reservation: reservation(attempt) });
  const { phase } = test.call;
  if (phase.kind !== 'assisted' || phase.assistantLegId === null) throw new Error('the assistant is not called');
  return phase.assistantLegId;
}

/** The assistant talks with the caller. */
export function assisted(fallback?: StepFlow, more: { recording?: boolean } & Partial<CallNumber> = {}) {
  const test = inbound(answeredBy(fallback), more);
  const assistantLeg = admit(test);
  test.answer(assistantLeg);
  test.bridged(assistantLeg);
  test.steps();
  return Object.assign(test, { assistantLeg });
}

/** The legs wait for us, as the switch reports. */
export function park(test: TestCall, ...legIds: string[]): void {
  for (const legId of legIds) test.apply({ type: 'leg_parked', legId, arrival: null });
}

/** The assistant rings employees, or a phone outside. */
export function startTransfer(
  test: TestCall,
  targets: readonly { id: string; name: string }[] | string,
  actionId = ACTION,
): string | undefined {
  return test.apply({
    type: 'start_assistant_transfer',
    actionId,
    targets: typeof targets === 'string' ? { phoneNumber: targets } : targets.map((employee) => ({ employee })),
    targetName: 'Sales',
    sealedIntroduction: 'sealed',
  });
}

/** What the session was told, oldest first, as far as it has not confirmed it. */
export function told(test: TestCall): SessionUpdate[] {
  return (test.call.assistant?.updates ?? []).map(({ update }) => update);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '@parley/errors';
import { AssistantCallService } from '@parley/proto/call_control/v1/assistant_calls_pb';
import type { Channel } from '@parley/rpc';
import type { ActionResult } from '../engine/engine.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionWork } from './session-work.ts';

/** Sends a text to the number that calls, from the called number. */
export type SendText = (
  session: Pick<Session, 'id' | 'companyId' | 'businessNumberId' | 'from'>,
  request: { readonly actionId: string; readonly text: string },
) => Promise<ActionResult>;

const RESULTS: readonly string[] = ['unavailable', 'failed', 'not_allowed'] satisfies ActionResult[];
const TIMEOUT_MS = 5000;
/** How long the end of a session is tried for, and how often: longer than a phone rings. */
const END_MS_MAX = 60_000;
const END_AGAIN_MS = 400;

/** The effects of a session on its call, which call-control owns. */
export function callControlWork(callControl: Channel, session: Session, sendText: SendText): SessionWork {
  const calls = callControl.client(AssistantCallService);
  const { attempt } = session.reservation;
  const common = { callId: session.callId, sessionId: session.id, attempt };
  const options = { timeoutMs: TIMEOUT_MS };
  return {
    async startTransfer({ actionId, destination, callerName, matter }) {
      const { name: targetName, employeeIds, phoneNumber } = destination;
      const ringing = { employeeIds: [...employeeIds], ...(phoneNumber !== null && { phoneNumber }) };
      const request = { ...common, actionId, targetName, callerName, matter, ...ringing };
      const { result } = await calls.startAssistantTransfer(request, options);
      if (result === undefined) return undefined;
      return RESULTS.includes(result) ? (result as ActionResult) : 'failed';
    },
    async finishWhisper(actionId) {
      await calls.finishWhisper({ ...common, actionId }, options);
    },
    async requestCallback({ actionId, number, employeeIds }) {
      const own = employeeIds.length > 0 ? employeeIds : session.fallbackEmployeeIds;
      const request = { ...common, actionId, number, employeeIds: [...own] };
      const { result } = await calls.requestAssistantCallback(request, options);
      return result === 'queued' || result === 'not_allowed' ? result : 'closed';
    },
    sendText: (request) => sendText(session, request),
    runFallback: (reason, over) => untilAccepted(() => calls.runFallback({ ...common, reason }, options), over),
    endCall: (over) => untilAccepted(() => calls.endAssistedCall(common, options), over),
    async report(engine, outcomeIfLeft, revision) {
      await calls.reportSession({ ...common, engine, outcomeIfLeft, revision }, options);
    },
  };
}

/** While somebody is being connected with the caller, and while call-control cannot be reached, the end is asked for again. */
async function untilAccepted(request: () => Promise<unknown>, over: AbortSignal): Promise<void> {
  const until = performance.now() + END_MS_MAX;
  for (;;) {
    try {
      await request();
      return;
    } catch (error) {
      if (over.aborted) return;
      const isFinal = error instanceof Refused && error.refusal.code !== 'transfer_in_progress';
      if (isFinal || performance.now() > until) throw error;
    }
    await sleep(END_AGAIN_MS, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
  }
}

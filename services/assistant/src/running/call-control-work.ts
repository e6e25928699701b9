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

/** The effects of a session on its call, which call-control owns. */
export function callControlWork(callControl: Channel, session: Session, sendText: SendText): SessionWork {
  const calls = callControl.client(AssistantCallService);
  const common = { callId: session.callId, sessionId: session.id };
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
    async runFallback(reason) {
      await calls.runFallback({ ...common, reason }, options);
    },
    async endCall() {
      await calls.endAssistedCall(common, options);
    },
    async report(engine, outcomeIfLeft, revision) {
      await calls.reportSession({ ...common, engine, outcomeIfLeft, revision }, options);
    },
  };
}

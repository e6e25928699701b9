import type { Clock } from '@parley/clock';
import { notFound, refusal, Refused } from '@parley/errors';
import { AssistantCallService } from '@parley/proto/call_control/v1/assistant_calls_pb';
import { type RpcServer, services } from '@parley/rpc';
import { REPORTED_OUTCOMES } from '../calls/model/call-assistant.ts';
import { employeesOf } from '../calls/model/call-flow.ts';
import type { Call } from '../calls/model/call.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { reasonOf } from '../clients/assistant-client.ts';
import type { CompanyOf } from '../clients/company-client.ts';
import type { Routing } from '../clients/routing-client.ts';
import { isActive } from '../presence/presence.ts';
import type { Presences } from '../presence/presence-store.ts';
import { permitCallback } from '../switch/commands/permit-dialling.ts';
import type { Introductions } from './introduction.ts';
import { ringForAssistant } from './ring-for-assistant.ts';

interface AssistantCallDeps {
  readonly calls: Calls;
  readonly runner: CallRunner;
  readonly presences: Pick<Presences, 'of'>;
  readonly companyOf: CompanyOf;
  readonly routing: Pick<Routing, 'route'>;
  readonly introductions: Pick<Introductions, 'seal'>;
  /** The number of configured carriers. */
  readonly carriers: number;
  readonly clock: Clock;
}

type CallbackResult = 'queued' | 'not_allowed' | 'closed';

/** Which call, and from where. */
interface Origin {
  readonly callId: string;
  readonly sessionId: string;
  /** 0 counts as the last one. */
  readonly attempt: number;
}

const continuedElsewhere = refusal('conflict', 'another process continues the session');

/**
 * What an assistant does to its call. A request that is repeated has one effect; one of a session that is over, or of a process that
 * was frozen while another one has taken its place, has none.
 */
export function addAssistantCallService(server: RpcServer, deps: AssistantCallDeps): void {
  const { calls, runner, introductions } = deps;

  /** The session names its call: a process of the assistant serves all companies. */
  async function callOf({ callId, sessionId, attempt }: Origin): Promise<Call> {
    const call = await calls.acrossCompanies.get(callId);
    if (!call?.assistant || call.assistant.sessionId !== sessionId) throw new Refused(notFound);
    const { phase } = call;
    const isOutdated = attempt > 0 && phase.kind === 'assisted' && attempt < phase.attempt;
    if (isOutdated) throw new Refused(continuedElsewhere);
    return call;
  }

  server.add(AssistantCallService, services('assistant'), {
    async startAssistantTransfer(request) {
      const { actionId, employeeIds, phoneNumber, targetName, callerName, matter } = request;
      const call = await callOf(request);
      if (call.transfers.some(({ id }) => id === actionId)) return {};
      const sealedIntroduction = introductions.seal(call.id, { callerName, matter });
      const wanted = phoneNumber === undefined ? { employeeIds } : { phoneNumber };
      const result = await ringForAssistant(deps, call, { actionId, targetName, sealedIntroduction }, wanted);
      // The same request, at the same time, may have been faster.
      const isStarted = result !== undefined && (await callOf(request)).transfers.some(({ id }) => id === actionId);
      return result === undefined || isStarted ? {} : { result };
    },
    async finishWhisper(request) {
      await runner.apply(await callOf(request), { type: 'finish_whisper', actionId: request.actionId });
      return {};
    },
    async runFallback(request) {
      await runner.apply(await callOf(request), { type: 'run_fallback', reason: reasonOf(request.reason) });
      return {};
    },
    async endAssistedCall(request) {
      await runner.apply(await callOf(request), { type: 'end_assisted_call' });
      return {};
    },
    async requestAssistantCallback(request) {
      const { actionId, number, employeeIds } = request;
      return { result: await promiseCallback(deps, await callOf(request), { actionId, number, employeeIds }) };
    },
    async reportSession(request) {
      const { revision, engine, outcomeIfLeft: written } = request;
      const outcomeIfLeft = REPORTED_OUTCOMES.find((outcome) => outcome === written) ?? 'abandoned';
      await runner.apply(await callOf(request), {
        type: 'session_reported',
        revision,
        engine: engine === 'endpoint' ? 'endpoint' : 'embedded',
        outcomeIfLeft,
      });
      return {};
    },
  });
}

/** Whether somebody will call back: only where somebody is to ring, while the number is open, and to a number that the company may call. */
async function promiseCallback(
  deps: AssistantCallDeps,
  call: Call,
  wanted: { readonly actionId: string; readonly number: string; readonly employeeIds: readonly string[] },
): Promise<CallbackResult> {
  const { companyId, phase, assistant } = call;
  const { actionId } = wanted;
  if (assistant?.promisedCallback?.actionId === actionId) return 'queued';
  const named = wanted.employeeIds.length > 0 ? wanted.employeeIds : fallbackEmployees(phase);
  const known = await deps.presences.of(companyId).list(named);
  const employeeIds = named.filter((id) => known.some((presence) => presence.id === id && isActive(presence)));
  const route = await deps.routing.route(call.number.number, deps.clock.now());
  if (!route?.withinBusinessHours || employeeIds.length === 0) return 'closed';
  const remoteNumber = wanted.number || call.from;
  if (!(await permitCallback(deps, { companyId, number: call.number, remoteNumber }))) return 'not_allowed';
  const number = wanted.number || null;
  await deps.runner.apply(call, { type: 'promise_callback', actionId, number, employeeIds });
  return 'queued';
}

function fallbackEmployees(phase: Call['phase']): readonly string[] {
  return phase.kind === 'assisted' ? employeesOf(phase.flow.fallback) : [];
}

import { type Call, type Callback, isOnHold, type OpenCall } from '../calls/model/call.ts';
import { assistantStateOf } from '../calls/model/assistant-state.ts';
import { offersOf } from '../calls/model/derived-fields.ts';
import { queuePositions, waitingSince } from '../calls/model/queue-position.ts';
import { openTransfer } from '../calls/model/transfer.ts';
import type { EmployeePresence } from '../presence/presence.ts';

export interface WaitingCaller {
  readonly callId: string;
  readonly from: string;
  readonly position: number;
  readonly waitingSecs: number;
  readonly callback?: Callback;
}

interface AssistedCaller {
  readonly callId: string;
  readonly from: string;
  readonly assistantName: string;
  readonly since: Date;
  readonly transferring: boolean;
}

interface LiveNumber {
  readonly numberId: string;
  readonly waiting: readonly WaitingCaller[];
  readonly ringing: number;
  readonly inConversation: number;
  readonly assisted: readonly AssistedCaller[];
}

interface LiveEmployee {
  readonly presence: EmployeePresence;
  readonly call: { readonly id: string; readonly remoteNumber: string; readonly since: Date } | null;
}

/** The open calls of each business number that has some. A caller whose call rings at employees does not wait in the queue. */
export function liveNumbers(calls: readonly OpenCall[], now: Date): LiveNumber[] {
  const positions = queuePositions(calls);
  return [...Map.groupBy(calls, ({ number }) => number.id)].map(([numberId, own]) => {
    const isRinging = ({ phase }: OpenCall) => offersOf(phase).length > 0 || RINGING.includes(phase.kind);
    const ringing = own.filter((call) => !isCalledBack(call) && isRinging(call));
    const waiting = own.filter((call) => isCalledBack(call) || (call.phase.kind === 'waiting' && !isRinging(call)));
    return {
      numberId,
      waiting: waiting
        .map((call) => ({
          callId: call.id,
          from: call.remoteNumber,
          position: positions.get(call.id) ?? 0,
          waitingSecs: Math.max(0, Math.floor((now.getTime() - waitingSince(call)) / 1000)),
          ...(call.callback && { callback: call.callback }),
        }))
        .sort((a, b) => a.position - b.position),
      ringing: ringing.length,
      inConversation: own.filter(({ phase }) => CONVERSATION.includes(phase.kind)).length,
      assisted: own.flatMap(assistedCaller).sort((a, b) => a.since.getTime() - b.since.getTime()),
    };
  });
}

/** The caller with whom an assistant talks. */
function assistedCaller(call: OpenCall): AssistedCaller[] {
  const { id, assistant, remoteNumber, startedAt } = call;
  const state = assistantStateOf(call);
  if (!assistant || state === 'left') return [];
  const since = assistant.since ?? startedAt;
  const transferring = state === 'transferring';
  return [{ callId: id, from: remoteNumber, assistantName: assistant.name, since, transferring }];
}

/** Somebody who is called back waits until they are connected, also while phones ring for them. */
const isCalledBack = ({ callback }: OpenCall) => callback?.state === 'waiting' || callback?.state === 'calling';

const CONVERSATION: readonly Call['phase']['kind'][] = ['announcing', 'connecting', 'talking', 'outside'];
/** At phones outside the company, or at the target of a blind transfer. */
const RINGING: readonly Call['phase']['kind'][] = ['forwarding', 'blind_transfer', 'returning'];

/** Employees with the call they are in: of several, one that is not on hold. */
export function liveEmployees(presences: readonly EmployeePresence[], calls: readonly OpenCall[]): LiveEmployee[] {
  const byEmployee = new Map<string, OpenCall>();
  for (const call of calls.toSorted((a, b) => Number(isOnHold(a)) - Number(isOnHold(b))))
    for (const id of employeesIn(call)) if (!byEmployee.has(id)) byEmployee.set(id, call);
  return presences.map((presence) => {
    const call = byEmployee.get(presence.id);
    return { presence, call: call ? { ...call, since: since(call, presence) } : null };
  });
}

/** The employees in conversation or dialling, and the coworker who is consulted. */
function employeesIn({ phase, transfers }: OpenCall): string[] {
  const transfer = openTransfer(transfers);
  return [
    ...('employee' in phase ? [phase.employee.id] : []),
    ...(transfer?.to && transfer.state === 'consulting' ? [transfer.to.id] : []),
  ];
}

/** Somebody joins a call when the status becomes that of a call. */
function since({ answeredAt, startedAt }: OpenCall, { status, statusSince }: EmployeePresence): Date {
  const connected = answeredAt ?? startedAt;
  return status === 'on_call' && statusSince && statusSince > connected ? statusSince : connected;
}

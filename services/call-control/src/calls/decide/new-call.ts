import type { Call, CallNumber, SwitchReference } from '../model/call.ts';
import { type CallDecision, CallDraft } from './call-draft.ts';
import type { CallFlow, NoAnswerPlan } from '../model/call-flow.ts';
import { derivedFields } from '../model/derived-fields.ts';
import type { Participant } from '../model/participant.ts';
import { callEmployee, dialOut } from './outbound-call.ts';
import { runFlow } from './run-flow.ts';

/** Instead of the number of a caller who withholds it. */
export const ANONYMOUS = 'anonymous';

/** A call that nobody ended, such as one between two machines, ends after this time. */
const CALL_LENGTH_MAX_MS = 4 * 3_600_000;

interface NewCall {
  readonly id: string;
  readonly companyId: string;
  readonly seed: string;
  readonly from: string;
  readonly to: string;
  readonly number: CallNumber;
  readonly switch: SwitchReference;
}

export interface NewInboundCall extends NewCall {
  /** The leg that arrived at the switch. */
  readonly legId: string;
  readonly flow: CallFlow;
  readonly noAnswer: NoAnswerPlan | null;
  readonly withinBusinessHours: boolean;
  /** Systems with data about callers are connected. */
  readonly looksUpCaller: boolean;
}

interface RequestedCall extends NewCall {
  readonly employee: Participant;
  readonly carriers: number;
  /** Present in calls to an emergency number. */
  readonly emergency?: Call['emergency'];
}

/** An employee calls from a phone. */
interface NewOutboundCall extends RequestedCall {
  /** The leg that arrived at the switch. */
  readonly legId: string;
}

/** A customer called a business number. */
export function createInboundCall(arrived: NewInboundCall, now: Date): CallDecision {
  const { legId, flow, noAnswer, withinBusinessHours, looksUpCaller } = arrived;
  const draft = begin(arrived, now, { direction: 'inbound', noAnswer, customerLegId: legId });
  draft.addLeg({ id: legId, employeeId: null, status: 'dialing', parked: true });
  draft.emit('call-control.call.initiated');
  if (!withinBusinessHours) draft.emit('call-control.call.outside_business_hours');
  // First, so that it does not wait and the commands to the switch stay one command.
  if (looksUpCaller && arrived.from !== ANONYMOUS) draft.addCommand({ kind: 'look_up_caller' });
  draft.control({ do: 'take', legId });
  runFlow(draft, flow);
  return draft.decide();
}

/** An employee calls an external number from a business number. */
export function createOutboundCall(placed: NewOutboundCall, now: Date): CallDecision {
  const { legId, employee, carriers, emergency } = placed;
  const draft = begin(placed, now, {
    direction: 'outbound',
    initiatedBy: employee,
    employees: [employee],
    phase: { kind: 'dialing', employee, legId, carrier: 0, carriers },
    ...(emergency && { emergency }),
  });
  draft.addLeg({ id: legId, employeeId: employee.id, status: 'dialing', parked: true });
  dialOut(draft);
  draft.emit('call-control.call.initiated');
  if (emergency) draft.emit('call-control.emergency_call.placed');
  return draft.decide();
}

/** An employee requested a call: the employee's phones ring first. */
export function createRequestedCall(requested: RequestedCall, now: Date): CallDecision {
  const { employee, carriers, emergency } = requested;
  const draft = begin(requested, now, {
    direction: 'outbound',
    initiatedBy: employee,
    employees: [employee],
    ...(emergency && { emergency }),
  });
  // The leg of the other side has its id before it is dialled: events name it from the beginning.
  draft.set({ customerLegId: draft.newId() });
  callEmployee(draft, employee, carriers);
  draft.emit('call-control.call.initiated');
  return draft.decide();
}

function begin(details: NewCall, now: Date, more: Partial<Call> & Pick<Call, 'direction'>): CallDraft {
  const { id, companyId, seed, from, to, number } = details;
  const bare = {
    id,
    companyId,
    seed,
    from,
    to,
    number,
    switch: details.switch,
    state: 'initiated',
    startedAt: now,
    queuedAt: null,
    answeredAt: null,
    endedAt: null,
    durationSecs: null,
    initiatedBy: null,
    employees: [],
    conversationSpans: [],
    voicemailId: null,
    phase: { kind: 'hanging_up' },
    noAnswer: null,
    legs: [],
    customerLegId: '',
    customerAnswered: false,
    transfers: [],
    recordings: [],
    timeline: [],
    idsDerived: 0,
    prompt: null,
    ...more,
  } satisfies Omit<Call, keyof ReturnType<typeof derivedFields>>;
  const draft = new CallDraft({ ...bare, ...derivedFields(bare) }, 'arrival', now);
  draft.note({ type: 'state', what: 'initiated' });
  draft.due('max_length', CALL_LENGTH_MAX_MS);
  return draft;
}

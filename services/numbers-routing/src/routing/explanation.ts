import { type Closure, DAY_NAMES } from '@parley/opening-hours';
import type { KnownAssistant } from '../assistants/assistant-client.ts';
import {
  assistantTargets,
  type CallFlow,
  type FallbackFlow,
  type Forward,
  transferTargets,
} from '../call-flows/call-flow.ts';
import type { Route, Routable } from './route.ts';

export interface KnownEmployee {
  readonly id: string;
  readonly name: string;
  readonly invitationPending: boolean;
  /** Not deactivated. */
  readonly active: boolean;
  readonly status: 'on_call' | 'do_not_disturb' | 'ringing' | 'available' | 'logged_out' | 'unknown';
  readonly doNotDisturb: { readonly expiresAt: Date | null } | null;
}

export interface ExplainedEmployee {
  readonly id: string;
  readonly name: string;
  readonly digit: string | null;
  readonly wouldRing: boolean;
  /** Why not; null when the employee would be rung. */
  readonly reason: string | null;
}

export interface ExplainedAssistant extends KnownAssistant {
  readonly id: string;
  /** The menu key that leads to it; null outside a menu. */
  readonly digit: string | null;
  readonly fallback: FallbackFlow;
}

/** Why the route is what it is, in sentences. `known` are the assistants of its flows. */
export function routeReasons(
  number: Routable,
  route: Route,
  known: ReadonlyMap<string, KnownAssistant> = new Map(),
): readonly string[] {
  const { opening, slot } = route;
  const { today, local, open, closure, currentBreak } = opening;
  const day = DAY_NAMES[today.dayOfWeek];
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  const hours = today.open ? `open from ${today.openingAt} to ${today.closingAt}` : 'closed all day';
  const reasons = [
    `In ${number.timezone} it is ${day} ${time}; on ${day} the number is ${hours}.`,
    ...(closure ? [`The closure “${closure.name}” applies ${daysText(closure)}: the number is closed all day.`] : []),
    ...(currentBreak ? [`There is a break from ${currentBreak.from} to ${currentBreak.to}.`] : []),
    open
      ? 'That is within business hours, so incoming_call_config applies.'
      : slot === 'outside_business_hours_config'
        ? 'That is outside business hours, so outside_business_hours_config applies.'
        : 'That is outside business hours, but outside_business_hours_config is not set, so incoming_call_config applies.',
  ];
  if (!number.active) return [...reasons, 'The number is not active: it takes no calls.'];
  return [...reasons, ...flowReasons(route.flow, known), ...noAnswerReasons(number, route)];
}

/** What happens when nobody answers; nothing where an assistant answers whose fallback rings nobody. */
function noAnswerReasons({ noAnswerConfig }: Routable, { flow, noAnswer }: Route): readonly string[] {
  const ringing = flow?.type === 'AssistantConfig' ? flow.fallback : flow;
  if (ringing?.type === 'ForwardConfig') {
    const accepts = ringing.confirm ? 'answers and presses 1' : 'answers';
    return [
      noAnswer
        ? `If nobody there ${accepts}, no_answer_config applies.`
        : `If nobody there ${accepts}, the call ends, because there is no no_answer_config with a timer.`,
    ];
  }
  if (flow?.type === 'AssistantConfig' && transferTargets(flow).length === 0) return [];
  if (noAnswer) return [`If no employee answers within ${noAnswer.timeoutSecs} seconds, no_answer_config applies.`];
  return [
    noAnswerConfig
      ? 'no_answer_config is set, but its timer is off: callers wait until an employee answers.'
      : 'no_answer_config is not set: callers wait until an employee answers.',
  ];
}

function flowReasons(flow: CallFlow | null, known: ReadonlyMap<string, KnownAssistant>): readonly string[] {
  if (flow?.type === 'ForwardConfig') return [`The call is ${forwardText(flow)}`];
  return explainAssistants(flow, known).flatMap(({ name, engine, active, digit, fallback }) => {
    const key = digit === null ? '' : `Key ${digit}: `;
    const deciding = engine === 'embedded' ? 'the embedded engine' : 'the model of an endpoint';
    return [
      active
        ? `${key}The assistant “${name}” answers, with ${deciding}.`
        : `${key}The assistant “${name}” is not active: calls go to its fallback at once.`,
      `${key}Its fallback: ${fallbackText(fallback)}`,
    ];
  });
}

function fallbackText(fallback: FallbackFlow): string {
  switch (fallback.type) {
    case 'TransferConfig':
      return 'employees ring.';
    case 'WelcomeTransferConfig':
      return 'the caller hears a welcome, then employees ring.';
    case 'VoicemailConfig':
      return 'the caller can leave a voicemail.';
    case 'RejectConfig':
      return 'the caller hears a message, then the call ends.';
    case 'ForwardConfig':
      return `the call is ${forwardText(fallback)}`;
  }
}

function forwardText({ phoneNumber, timeoutSecs }: Forward): string {
  return `forwarded to ${phoneNumber}, which rings for ${timeoutSecs} seconds.`;
}

function daysText({ from, to }: Closure): string {
  return from === to ? `on ${from}` : `from ${from} to ${to}`;
}

/** Everyone a flow names, and whether each would be rung as things are. */
export function explainEmployees(
  flow: CallFlow | null,
  known: ReadonlyMap<string, KnownEmployee>,
  at: Date,
): readonly ExplainedEmployee[] {
  if (!flow) return [];
  return transferTargets(flow).flatMap(({ digit, employeeIds }) =>
    employeeIds.map((id) => {
      const employee = known.get(id);
      const reason = whyNot(employee, at);
      return { id, name: employee?.name ?? '', digit, wouldRing: reason === null, reason };
    }),
  );
}

/** The assistants that a flow has answer, as they are; one that no longer exists is left out. */
export function explainAssistants(
  flow: CallFlow | null,
  known: ReadonlyMap<string, KnownAssistant>,
): readonly ExplainedAssistant[] {
  return assistantTargets(flow).flatMap(({ assistantId: id, digit, fallback }) => {
    const assistant = known.get(id);
    return assistant ? { id, digit, fallback, ...assistant } : [];
  });
}

function whyNot(employee: KnownEmployee | undefined, at: Date): string | null {
  if (!employee) return 'no_longer_an_employee';
  if (!employee.active) return 'deactivated';
  if (employee.invitationPending) return 'invitation_pending';
  const { doNotDisturb } = employee;
  // Do-not-disturb that ends before the instant in question does not count then.
  if (doNotDisturb && (doNotDisturb.expiresAt === null || doNotDisturb.expiresAt > at)) return 'do_not_disturb';
  return ['available', 'do_not_disturb'].includes(employee.status) ? null : employee.status;
}

import { type Closure, DAY_NAMES } from '@parley/opening-hours';
import { type CallFlow, type Forward, transferTargets } from '../call-flows/call-flow.ts';
import type { Route, Routable } from './route.ts';

export interface KnownEmployee {
  readonly id: string;
  readonly name: string;
  readonly invitationPending: boolean;
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

/** Why the route is what it is, in sentences. */
export function routeReasons(number: Routable, route: Route): readonly string[] {
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
  if (route.flow?.type === 'ForwardConfig') return [...reasons, ...forwardReasons(route.flow, route.noAnswer !== null)];
  if (route.noAnswer)
    return [
      ...reasons,
      `If no employee answers within ${route.noAnswer.timeoutSecs} seconds, no_answer_config applies.`,
    ];
  return [
    ...reasons,
    number.noAnswerConfig
      ? 'no_answer_config is set, but its timer is off: callers wait until an employee answers.'
      : 'no_answer_config is not set: callers wait until an employee answers.',
  ];
}

function forwardReasons({ phoneNumber, timeoutSecs, confirm }: Forward, hasNoAnswer: boolean): readonly string[] {
  const accepts = confirm ? 'answers and presses 1' : 'answers';
  return [
    `The call is forwarded to ${phoneNumber}, which rings for ${timeoutSecs} seconds.`,
    hasNoAnswer
      ? `If nobody there ${accepts}, no_answer_config applies.`
      : `If nobody there ${accepts}, the call ends, because there is no no_answer_config with a timer.`,
  ];
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

function whyNot(employee: KnownEmployee | undefined, at: Date): string | null {
  if (!employee) return 'no_longer_an_employee';
  if (employee.invitationPending) return 'invitation_pending';
  const { doNotDisturb } = employee;
  // Do-not-disturb that ends before the instant in question does not count then.
  if (doNotDisturb && (doNotDisturb.expiresAt === null || doNotDisturb.expiresAt > at)) return 'do_not_disturb';
  return ['available', 'do_not_disturb'].includes(employee.status) ? null : employee.status;
}

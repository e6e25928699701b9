import type { Call } from '../../calls/model/call.ts';
import type { ControlStep, StepFailure } from '../../calls/model/call-command.ts';
import type { Switch } from '../connection/switch-client.ts';

type HangUp = Extract<ControlStep, { do: 'hang_up' }>;

/** A phone that is rung for nobody is noticed after a second or two. */
const AGAIN_AFTER_MS = [1000, 5000];

/**
 * A switch accepts the order to create a leg before the leg exists: the order to end it may come too early and find
 * nothing. It is repeated, unless this process ends; then reconciliation finds the leg.
 */
export function hangUpAgain(
  at: Pick<Switch, 'control'>,
  call: Call,
  steps: readonly ControlStep[],
  failures: readonly StepFailure[],
): void {
  const missed = failures.filter(({ noSuchLeg }) => noSuchLeg).map(({ step }) => steps[step]);
  const again = missed.filter((step): step is HangUp => step?.do === 'hang_up' && isOurs(call, step.legId));
  if (again.length === 0) return;
  for (const waitMs of AGAIN_AFTER_MS)
    setTimeout(() => void at.control(call.id, again).catch(() => undefined), waitMs).unref();
}

/** A leg that arrived existed before it was known. */
function isOurs({ direction, customerLegId, initiatedBy, legs }: Call, legId: string): boolean {
  if (direction === 'inbound') return legId !== customerLegId;
  const leg = legs.find(({ id }) => id === legId);
  return leg === undefined || leg.employeeId !== initiatedBy?.id;
}

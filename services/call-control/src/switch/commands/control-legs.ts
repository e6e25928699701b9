import type { CommandContext } from '@parley/aggregates';
import type { Call } from '../../calls/model/call.ts';
import type { ControlStep, StepFailure } from '../../calls/model/call-command.ts';
import type { Switch } from '../connection/switch-client.ts';

/**
 * Executes the steps of a command; the failures among them. Nothing is sent for a leg that has ended: under load the switch
 * would execute it before what others wait for. An order to hang up is, since a leg that we create may exist later.
 */
export async function controlLegs(
  at: Pick<Switch, 'control'>,
  { id, legs }: Pick<Call, 'id' | 'legs'>,
  steps: readonly ControlStep[],
  { isLeased }: Pick<CommandContext, 'isLeased'>,
): Promise<readonly StepFailure[]> {
  const hasEnded = (step: ControlStep) =>
    step.do !== 'hang_up' && 'legId' in step && !legs.some((leg) => leg.id === step.legId);
  const sent = steps.filter((step) => !hasEnded(step));
  const failures = sent.length === 0 ? [] : await at.control(id, sent, isLeased);
  return steps.flatMap((step, index) => {
    if (hasEnded(step)) return { step: index, reason: 'the leg has ended', noSuchLeg: true };
    const failure = failures.find((one) => sent[one.step] === step);
    return failure ? { ...failure, step: index } : [];
  });
}

import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { ControlStep } from '../../calls/model/call-command.ts';
import { ada, inbound, transfer } from '../../../test/test-call.ts';
import { hangUpAgain } from './leg-commands.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const hangUp = (legId: string): ControlStep => ({ do: 'hang_up', legId, cause: 'ORIGINATOR_CANCEL' });
const failure = (step: number, noSuchLeg: boolean) => ({ step, reason: '-ERR', noSuchLeg });

it('the order to end a leg that did not exist yet is repeated twice', async () => {
  const control = jest.fn(async (..._sent: unknown[]) => []);
  const test = inbound(transfer(ada));
  const leg = test.ring(ada);
  const steps = [hangUp('leg-customer'), hangUp(leg), hangUp('leg-other')];
  hangUpAgain({ control }, test.call, steps, [failure(0, true), failure(1, true), failure(2, false)]);
  expect(control).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(control.mock.calls).toEqual([
    [test.call.id, [hangUp(leg)]],
    [test.call.id, [hangUp(leg)]],
  ]);
});

it('an order that was executed is not repeated', async () => {
  const control = jest.fn(async (..._sent: unknown[]) => []);
  const test = inbound(transfer(ada));
  hangUpAgain({ control }, test.call, [hangUp(test.ring(ada))], []);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(control).not.toHaveBeenCalled();
});

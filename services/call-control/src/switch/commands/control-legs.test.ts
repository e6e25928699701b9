import { expect, it, jest } from '@jest/globals';
import type { ControlStep, StepFailure } from '../../calls/model/call-command.ts';
import { inbound, voicemail } from '../../../test/test-call.ts';
import { controlLegs } from './leg-commands.ts';

const stop: ControlStep = { do: 'stop_audio', legId: 'leg-customer' };
const answer: ControlStep = { do: 'answer', legId: 'leg-customer' };
const stopGone: ControlStep = { do: 'stop_audio', legId: 'leg-gone' };
const hangUpGone: ControlStep = { do: 'hang_up', legId: 'leg-gone', cause: 'LOSE_RACE' };
const context = { isLeased: () => true };
const { call } = inbound(voicemail);

it('a caller who has hung up has no command left', async () => {
  const control = jest.fn(async () => [] as StepFailure[]);
  const test = inbound(voicemail);
  test.finishPlayback();
  test.finishPlayback();
  const order = test.commands.findLast(({ kind }) => kind === 'record');
  if (order?.kind !== 'record') throw new Error('nothing is recorded');
  test.hangUp();
  const failures = await controlLegs({ control }, test.call, [order.step], context);
  expect(control).not.toHaveBeenCalled();
  expect(failures).toMatchObject([{ step: 0, noSuchLeg: true }]);
});

it('a step for a leg that has ended fails without being sent, and the others keep their results', async () => {
  const refused = { step: 1, reason: '-ERR', noSuchLeg: false };
  const control = jest.fn(async (..._sent: unknown[]) => [refused]);
  const failures = await controlLegs({ control }, call, [stopGone, stop, answer], context);
  expect(control.mock.calls).toEqual([[call.id, [stop, answer], context.isLeased]]);
  expect(failures).toEqual([
    { step: 0, reason: 'the leg has ended', noSuchLeg: true },
    { ...refused, step: 2 },
  ]);
});

it('a leg that we created is hung up also when it was found to be missing before', async () => {
  const control = jest.fn(async (..._sent: unknown[]) => [] as StepFailure[]);
  expect(await controlLegs({ control }, call, [hangUpGone], context)).toEqual([]);
  expect(control).toHaveBeenCalledTimes(1);
});

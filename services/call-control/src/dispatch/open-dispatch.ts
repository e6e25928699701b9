import { type EmployeeDispatch, employeeDispatch } from './employee-dispatch.ts';
import { type HoldOthers, holdOthers } from './hold-others.ts';
import { type ReplaceCallbacks, replaceCallbacks } from './replace-callbacks.ts';
import { type UpdateQueuePositions, updateQueuePositions } from './update-queue-positions.ts';

/** Calls affect other calls through the employees and the queue that they share. */
export interface Dispatch {
  readonly dispatch: EmployeeDispatch;
  readonly holdOthers: HoldOthers;
  readonly replaceCallbacks: ReplaceCallbacks;
  readonly updateQueuePositions: UpdateQueuePositions;
}

export function openDispatch(deps: Parameters<typeof employeeDispatch>[0]): Dispatch {
  return {
    dispatch: employeeDispatch(deps),
    holdOthers: holdOthers(deps.runner),
    replaceCallbacks: replaceCallbacks(deps),
    updateQueuePositions: updateQueuePositions(deps),
  };
}

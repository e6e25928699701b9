import { type EmployeeDispatch, employeeDispatch } from './employee-dispatch.ts';
import { type HoldOthers, holdOthers } from './hold-others.ts';
import { type ReplaceCallbacks, replaceCallbacks } from './replace-callbacks.ts';
import { type TellPlaces, tellPlaces } from './tell-places.ts';

/** Calls affect other calls through the employees and the queue that they share. */
export interface Dispatch {
  readonly dispatch: EmployeeDispatch;
  readonly holdOthers: HoldOthers;
  readonly replaceCallbacks: ReplaceCallbacks;
  readonly tellPlaces: TellPlaces;
}

export function openDispatch(deps: Parameters<typeof employeeDispatch>[0]): Dispatch {
  return {
    dispatch: employeeDispatch(deps),
    holdOthers: holdOthers(deps.runner),
    replaceCallbacks: replaceCallbacks(deps),
    tellPlaces: tellPlaces(deps),
  };
}

import { notFound, Refused } from '@parley/errors';
import type { BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { RoutingSlot } from '../call-flows/call-flow.ts';
import { viewOf } from './number-view.ts';
import type { NumberDeps } from './number-deps.ts';
import { changeRouting, employeesNamed } from './routing-change.ts';

/** The three slots' RPCs look alike, and so does what they do. */
type SetRouting = Handler<typeof BusinessNumberService.method.setIncomingCallConfig, EmployeePrincipal> &
  Handler<typeof BusinessNumberService.method.setOutsideBusinessHoursConfig, EmployeePrincipal> &
  Handler<typeof BusinessNumberService.method.setNoAnswerConfig, EmployeePrincipal>;

export const setRoutingRpc = (deps: NumberDeps, slot: RoutingSlot): SetRouting =>
  (async ({ id, body = {} }, { principal: caller }) => {
    const { numbers, assignments, directory, clock } = deps;
    const known = await numbers.of(caller.companyId).get(id);
    if (!known) throw new Refused(notFound);
    const named = employeesNamed(body);
    const number = await assignments.during(known, named, async (mayCommit) => {
      const strangers = await directory.strangers(caller.companyId, named);
      mayCommit();
      return numbers
        .of(caller.companyId)
        .change(id, (current) => changeRouting(current, slot, body, strangers, clock.now()));
    });
    return { view: await viewOf(deps, number) };
  }) as SetRouting;

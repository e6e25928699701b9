import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { employeesOf } from '../call-flows/call-flow.ts';
import { slotToProto } from '../call-flows/call-flow-proto.ts';
import { flowIn, ROUTING_SLOTS } from '../numbers/business-number.ts';
import { OLDEST_FIRST } from '../numbers/business-number-store.ts';
import type { RoutingDeps } from './routing-deps.ts';

/** Changes in progress are read first: one that commits in between is then found among the numbers. */
export const listNumbersTargetingRpc =
  ({
    assignments,
    numbers,
  }: RoutingDeps): Handler<typeof RoutingService.method.listNumbersTargeting, ServicePrincipal> =>
  async ({ companyId, employeeId }) => {
    const pending = new Map((await assignments.pending(companyId, employeeId)).map((number) => [number.id, number]));
    const targeting = await Array.fromAsync(numbers.of(companyId).find({ targetIds: employeeId }, OLDEST_FIRST));
    const found = targeting.map((number) => ({
      id: number.id,
      name: number.name,
      // An inactive number rings no employee, although its flows still contain some.
      incomingCallEmployeeIds: number.active ? [...employeesOf(number.incomingCallConfig)] : [],
      inUseBy: ROUTING_SLOTS.filter((slot) => employeesOf(flowIn(number, slot)).includes(employeeId)).map(slotToProto),
      assignmentPending: pending.delete(number.id),
    }));
    const announced = [...pending.values()].map(({ id, name }) => ({ id, name, assignmentPending: true }));
    return { numbers: [...found, ...announced] };
  };

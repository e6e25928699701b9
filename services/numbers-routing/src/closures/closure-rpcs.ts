import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { ClosureService } from '@parley/proto/numbers_routing/v1/closures_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { BusinessNumber } from '../numbers/business-number.ts';
import type { BusinessNumbers } from '../numbers/business-number-store.ts';
import { addClosure, changeClosure, removeClosure } from './closure.ts';

export interface ClosureDeps {
  readonly numbers: BusinessNumbers;
  readonly clock: Clock;
}

export function addClosureRpcs(server: RpcServer, { numbers, clock }: ClosureDeps): void {
  const [member, admin] = [employees.withRole('member'), employees.withRole('admin')];
  const accessRules = { listClosures: member, createClosure: admin, updateClosure: admin, deleteClosure: admin };
  server.add(ClosureService, accessRules, {
    async listClosures({ businessNumberId }, { principal }) {
      const number = await numbers.of(principal.companyId).get(businessNumberId);
      if (!number) throw new Refused(notFound);
      return { closures: [...number.closures] };
    },
    async createClosure({ businessNumberId, name, from, to }, { principal }) {
      const closure = { id: newId('clo'), name, from, to };
      await numbers
        .of(principal.companyId)
        .change(businessNumberId, (current) => addClosure(current, closure, clock.now()));
      return { closure };
    },
    async updateClosure({ businessNumberId, id, name, from, to }, { principal }) {
      const change = {
        ...(name !== undefined && { name }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      };
      const number = await numbers
        .of(principal.companyId)
        .change(businessNumberId, (current) => changeClosure(current, id, change, clock.now()));
      return { closure: closureOf(number, id) };
    },
    async deleteClosure({ businessNumberId, id }, { principal }) {
      await numbers
        .of(principal.companyId)
        .change(businessNumberId, (current) => removeClosure(current, id, clock.now()));
      return {};
    },
  });
}

function closureOf({ closures }: BusinessNumber, id: string) {
  const closure = closures.find((candidate) => candidate.id === id);
  if (!closure) throw new Refused(notFound);
  return closure;
}

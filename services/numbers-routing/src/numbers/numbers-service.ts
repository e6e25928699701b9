import type { NumberDeps } from './number-deps.ts';
import { BusinessNumberAdminService, BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { employees, operators, type RpcServer } from '@parley/rpc';
import { checkCallTargetsRpc } from './rpc-check-call-targets.ts';
import { createBusinessNumberRpc } from './rpc-create-business-number.ts';
import { getBusinessNumberRpc } from './rpc-get-business-number.ts';
import { listBusinessNumbersRpc } from './rpc-list-business-numbers.ts';
import { setRegistrationRpc } from './rpc-set-registration.ts';
import { setIncomingCallConfigRpc, setNoAnswerConfigRpc, setOutsideBusinessHoursConfigRpc } from './rpc-set-routing.ts';
import { updateBusinessNumberRpc } from './rpc-update-business-number.ts';
import { updateBusinessNumberByOperatorRpc } from './rpc-update-business-number-by-operator.ts';

/** Every RPC of the contracts and the file of its handler. */
export function addNumberServices(server: RpcServer, deps: NumberDeps): void {
  const [member, admin] = [employees.withRole('member'), employees.withRole('admin')];
  const accessRules = {
    listBusinessNumbers: member,
    getBusinessNumber: member,
    updateBusinessNumber: admin,
    setIncomingCallConfig: admin,
    setOutsideBusinessHoursConfig: admin,
    setNoAnswerConfig: admin,
    // Explanations of a proposed route check its targets as well.
    checkCallTargets: member,
  };
  server.add(BusinessNumberService, accessRules, {
    listBusinessNumbers: listBusinessNumbersRpc(deps),
    getBusinessNumber: getBusinessNumberRpc(deps),
    updateBusinessNumber: updateBusinessNumberRpc(deps),
    setIncomingCallConfig: setIncomingCallConfigRpc(deps),
    setOutsideBusinessHoursConfig: setOutsideBusinessHoursConfigRpc(deps),
    setNoAnswerConfig: setNoAnswerConfigRpc(deps),
    checkCallTargets: checkCallTargetsRpc(deps),
  });
  server.add(BusinessNumberAdminService, operators, {
    createBusinessNumber: createBusinessNumberRpc(deps),
    updateBusinessNumberByOperator: updateBusinessNumberByOperatorRpc(deps),
    setRegistration: setRegistrationRpc(deps),
  });
}

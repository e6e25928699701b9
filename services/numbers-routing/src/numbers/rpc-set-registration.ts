import { invalid, notFound, Refused } from '@parley/errors';
import type { BusinessNumberAdminService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import { registrationStatusFromProto } from './business-number-proto.ts';
import { viewOf } from './number-view.ts';
import type { NumberDeps } from './number-deps.ts';
import { setRegistration } from './registration.ts';

export const setRegistrationRpc =
  (deps: NumberDeps): Handler<typeof BusinessNumberAdminService.method.setRegistration, OperatorPrincipal> =>
  async (request) => {
    const status = registrationStatusFromProto(request.status);
    if (!status) throw new Refused(invalid({ status: ['is required'] }));
    // The operator names a number without naming the company.
    const known = await deps.numbers.acrossCompanies.get(request.id);
    if (!known) throw new Refused(notFound);
    const number = await deps.numbers
      .of(known.companyId)
      .change(known.id, (current) => setRegistration(current, status, request.reason, deps.clock.now()));
    return { view: await viewOf(deps, number) };
  };

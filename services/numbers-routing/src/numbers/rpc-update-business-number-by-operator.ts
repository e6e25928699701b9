import { notFound, Refused } from '@parley/errors';
import type { BusinessNumberAdminService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import { updateByOperator } from './business-number.ts';
import { waitAudioFromProto } from './business-number-proto.ts';
import { viewOf } from './number-view.ts';
import type { NumberDeps } from './number-deps.ts';

export const updateBusinessNumberByOperatorRpc =
  (
    deps: NumberDeps,
  ): Handler<typeof BusinessNumberAdminService.method.updateBusinessNumberByOperator, OperatorPrincipal> =>
  async (request) => {
    const { active, smsCanSend, smsCanReceive } = request;
    const change = { active, smsCanSend, smsCanReceive, waitAudio: waitAudioFromProto(request.waitAudio) };
    // The operator names a number without naming the company.
    const known = await deps.numbers.acrossCompanies.get(request.id);
    if (!known) throw new Refused(notFound);
    const number = await deps.numbers
      .of(known.companyId)
      .change(known.id, (current) => updateByOperator(current, change, deps.clock.now()));
    return { view: await viewOf(deps, number) };
  };

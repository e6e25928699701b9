import { notFound, Refused } from '@parley/errors';
import type { IntegrationAdminService } from '@parley/proto/directory/v1/integrations_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import { removeIntegration } from './integration.ts';
import { kindFromProto } from './integration-proto.ts';
import type { IntegrationDeps } from './integration-deps.ts';

export const removeIntegrationRpc =
  ({
    integrations,
  }: IntegrationDeps): Handler<typeof IntegrationAdminService.method.removeIntegration, OperatorPrincipal> =>
  async ({ companyId, kind: requested }) => {
    const kind = kindFromProto(requested);
    const known = kind && (await integrations.of(companyId).findOne({ kind }));
    if (!known) throw new Refused(notFound);
    await integrations.of(companyId).change(known.id, removeIntegration);
    return {};
  };

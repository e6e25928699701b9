import { checkUrl, urlProblems } from '@parley/egress';
import { invalid, notFound, Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import type { IntegrationAdminService } from '@parley/proto/directory/v1/integrations_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import { saveIntegration, secretContext } from './integration.ts';
import { integrationToProto, kindFromProto } from './integration-proto.ts';
import type { IntegrationDeps } from './integration-deps.ts';

export const setIntegrationRpc =
  ({
    integrations,
    companies,
    encryptor,
    egressPolicy,
  }: IntegrationDeps): Handler<typeof IntegrationAdminService.method.setIntegration, OperatorPrincipal> =>
  async (request) => {
    const { companyId } = request;
    const kind = kindFromProto(request.kind);
    if (!kind || !(await companies.of(companyId).get(companyId))) throw new Refused(notFound);
    const check = await checkUrl(request.url, egressPolicy);
    if (!check.ok) throw new Refused(invalid({ url: [urlProblems[check.problem]] }));
    const own = integrations.of(companyId);
    const known = await own.findOne({ kind });
    const details = {
      url: request.url,
      secret: request.secret,
      label: request.label ?? null,
      source: request.source ?? null,
    };
    const decide = (id: string) =>
      saveIntegration({ id, companyId, kind }, details, (secret) => encryptor.encrypt(secret, secretContext(id)));
    const integration = known
      ? await own.change(known.id, (current) => decide(current.id))
      : await own.create(decide(newId('int')));
    return { integration: integrationToProto(integration) };
  };

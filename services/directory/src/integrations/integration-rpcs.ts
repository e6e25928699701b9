import { checkUrl, type EgressPolicy, urlProblems } from '@parley/egress';
import { invalid, notFound, Refused } from '@parley/errors';
import { type Encryptor, newId } from '@parley/secrets';
import { IntegrationAdminService } from '@parley/proto/directory/v1/integrations_pb';
import { operators, type RpcServer } from '@parley/rpc';
import { deletionInProgress } from '../companies/company.ts';
import type { Companies } from '../companies/company-store.ts';
import { type Integration, removeIntegration, saveIntegration, secretContext } from './integration.ts';
import { type Integrations, integrationToProto, kindFromProto } from './integration-store.ts';

export interface IntegrationDeps {
  readonly integrations: Integrations;
  readonly companies: Companies;
  readonly encryptor: Encryptor;
  readonly egressPolicy: EgressPolicy;
}

export function addIntegrationAdminService(server: RpcServer, deps: IntegrationDeps): void {
  const { integrations, companies, encryptor, egressPolicy } = deps;
  server.add(IntegrationAdminService, operators, {
    async setIntegration(request) {
      const { companyId } = request;
      const kind = kindFromProto(request.kind);
      const company = kind && (await companies.of(companyId).get(companyId));
      if (!company) throw new Refused(notFound);
      if (company.isBeingDeleted) throw new Refused(deletionInProgress);
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
      const decide = (id: string, current?: Integration) =>
        saveIntegration(
          { id, companyId, kind },
          details,
          (secret) => encryptor.encrypt(secret, secretContext(id)),
          current,
        );
      const integration = known
        ? await own.change(known.id, (current) => decide(current.id, current))
        : await own.create(decide(newId('int')));
      return { integration: integrationToProto(integration) };
    },
    async removeIntegration({ companyId, kind: requested }) {
      const kind = kindFromProto(requested);
      const known = kind && (await integrations.of(companyId).findOne({ kind }));
      if (!known) throw new Refused(notFound);
      await integrations.of(companyId).change(known.id, removeIntegration);
      return {};
    },
  });
}

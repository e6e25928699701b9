import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { type CompanyDeletionSchema, CompanyDeletionService } from '@parley/proto/directory/v1/company_deletions_pb';
import { operators, type RpcServer } from '@parley/rpc';
import { markForDeletion } from '../companies/company.ts';
import type { Companies } from '../companies/company-store.ts';
import { partsToProto, stateToProto } from '../erasures/erasure-rpcs.ts';
import { type CompanyDeletion, deletionIdOf, requestDeletion } from './company-deletion.ts';
import type { CompanyDeletions } from './company-deletion-store.ts';

export interface CompanyDeletionDeps {
  readonly deletions: CompanyDeletions;
  readonly companies: Companies;
  readonly partNames: readonly string[];
  readonly clock: Clock;
}

export function addCompanyDeletionService(
  server: RpcServer,
  { deletions, companies, partNames, clock }: CompanyDeletionDeps,
): void {
  server.add(CompanyDeletionService, operators, {
    async deleteCompany({ companyId }) {
      const known = await deletions.of(companyId).get(deletionIdOf(companyId));
      if (known) return { deletion: deletionToProto(known) };
      // First: its calls end, and from then on nobody of the company stores anything.
      const company = await companies.of(companyId).change(companyId, markForDeletion);
      const deletion = await deletions
        .of(companyId)
        .upsert(deletionIdOf(companyId), (current) => requestDeletion(current, company, partNames, clock.now()));
      return { deletion: deletionToProto(deletion) };
    },
    async getCompanyDeletion({ id }) {
      const deletion = await deletions.acrossCompanies.get(id);
      if (!deletion) throw new Refused(notFound);
      return { deletion: deletionToProto(deletion) };
    },
  });
}

function deletionToProto(deletion: CompanyDeletion): MessageInitShape<typeof CompanyDeletionSchema> {
  const { id, companyId, state, parts, requestedAt, doneAt } = deletion;
  return {
    id,
    companyId,
    state: stateToProto[state],
    parts: partsToProto(parts),
    requestedAt: timestampFromDate(requestedAt),
    ...(doneAt && { doneAt: timestampFromDate(doneAt) }),
  };
}

import { endpoint, json } from '@parley/http';
import type { CompanyDeletion } from '@parley/proto/directory/v1/company_deletions_pb';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { erasurePartsSchema, partsJson, stateJson, stateSchema } from '../../routes/privacy/erasure-endpoints.ts';
import { isoTime, isoTimeOf } from '@parley/public-json';

export const companyDeletionEndpoints = (clients: Clients) => [deleteCompany(clients), getCompanyDeletion(clients)];

const deletionSchema = z
  .object({
    id: z.string(),
    company_id: z.string(),
    state: stateSchema,
    parts: erasurePartsSchema,
    requested_at: z.string(),
    done_at: z.string().nullable(),
  })
  .meta({ id: 'CompanyDeletion' });

const deleteCompany = ({ companyDeletions }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'DELETE /companies/:id',
    summary: 'Delete a company',
    description:
      'Suspends the company and removes everything it has, in every service: this cannot be undone. It continues in the background; the response is the receipt, which stays when the company is gone. Repeating it answers with the same receipt.',
    responses: { 202: deletionSchema },
    errors: [404],
    async handle({ params, context }) {
      const { deletion } = await companyDeletions.deleteCompany({ companyId: params.id }, { as: context });
      return json(202, deletionJson(deletion!));
    },
  });

const getCompanyDeletion = ({ companyDeletions }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'GET /company_deletions/:id',
    summary: 'Read the deletion of a company',
    responses: { 200: deletionSchema },
    errors: [404],
    async handle({ params, context }) {
      const { deletion } = await companyDeletions.getCompanyDeletion({ id: params.id }, { as: context });
      return json(200, deletionJson(deletion!));
    },
  });

function deletionJson({ id, companyId, state, parts, requestedAt, doneAt }: CompanyDeletion) {
  return {
    id,
    company_id: companyId,
    state: stateJson(state),
    parts: partsJson(parts),
    requested_at: isoTimeOf(requestedAt),
    done_at: isoTime(doneAt),
  };
}

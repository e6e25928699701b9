import { endpoint, json } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';

export const startReportRebuild = ({ reportAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'POST /companies/:id/report_rebuild',
    summary: 'Rebuild the reports of a company',
    description: 'Counts all calls and texts again, from the services that own them. Reports wait until it is done.',
    responses: { 202: z.object({ status: z.string().describe('`running`') }) },
    errors: [404],
    async handle({ params, context }) {
      await reportAdmin.startReportRebuild({ companyId: params.id }, { as: context });
      return json(202, { status: 'running' });
    },
  });

import { endpoint, streamArray } from '@parley/http';
import type { CompanyUsage } from '@parley/proto/reports/v1/reports_pb';
import type { OperatorPrincipal, RpcOptions } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { openList } from '../../routes/shared/long-list.ts';

const usageSchema = z
  .object({
    company_id: z.string(),
    minutes_in: z.int().describe('Of inbound calls, each rounded up'),
    minutes_out: z.int(),
    texts_in: z.int().describe('Chargeable parts'),
    texts_out: z.int(),
    recordings_bytes: z
      .int()
      .describe('Of recordings and voicemails of the month’s calls, as far as they are stored now'),
    numbers: z.int().describe('Now'),
    employees: z.int().describe('Now'),
    assistant_minutes: z.int().describe('In which callers talked with assistants, each session rounded up'),
    assistant_tokens: z.int().describe('That language models read and wrote for assistants'),
  })
  .meta({ id: 'CompanyUsage' });

/** Companies at a time. */
const PAGE = 20;

export const listUsage = (clients: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'GET /usage',
    summary: 'List what companies used in a month',
    description:
      'Of calls that started and texts that were stored in the month, in UTC: minutes equal the sums of the calls’ CSV files with `timezone=UTC`. The newest company first.',
    query: z.object({ month: z.string().max(64).describe('Such as 2026-11') }),
    responses: { 200: z.object({ usage: z.array(usageSchema) }) },
    errors: [422],
    async handle({ query: { month }, context, requestId }) {
      const chunks = await openList(
        { context, requestId },
        (options) => pagesOfUsage(clients, month, options),
        (usage) => usage,
      );
      return streamArray(chunks, usageJson, { before: '{"usage":', after: '}' });
    },
  });

async function* pagesOfUsage({ companyAdmin, reportAdmin }: Clients, month: string, options: RpcOptions) {
  let cursor = '';
  do {
    const { companies, nextCursor } = await companyAdmin.listCompanies({ query: '', limit: PAGE, cursor }, options);
    const { usage } = await reportAdmin.listUsage({ month, companyIds: companies.map(({ id }) => id) }, options);
    yield usage;
    cursor = nextCursor;
  } while (cursor !== '');
}

function usageJson(usage: CompanyUsage): z.output<typeof usageSchema> {
  return {
    company_id: usage.companyId,
    minutes_in: Number(usage.minutesIn),
    minutes_out: Number(usage.minutesOut),
    texts_in: Number(usage.textsIn),
    texts_out: Number(usage.textsOut),
    recordings_bytes: Number(usage.recordingsBytes),
    numbers: Number(usage.numbers),
    employees: Number(usage.employees),
    assistant_minutes: Number(usage.assistantMinutes),
    assistant_tokens: Number(usage.assistantTokens),
  };
}

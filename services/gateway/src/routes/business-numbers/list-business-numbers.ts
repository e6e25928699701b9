import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { reads } from '../shared/tool-annotations.ts';

const summarySchema = z
  .object({ id: z.string(), name: z.string(), number: z.string(), number_formatted: z.string() })
  .meta({ id: 'BusinessNumberSummary' });

export const listBusinessNumbers = ({ businessNumbers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/business_numbers',
    tag: 'Business numbers',
    summary: 'List business numbers',
    description: 'Oldest first. The list key `main_numbers` is the former name of the resource.',
    responses: { 200: z.object({ main_numbers: z.array(summarySchema) }) },
    tools: [
      {
        name: 'list_business_numbers',
        title: 'List business numbers',
        description: 'The company’s own phone numbers. Use it to find the id of a number.',
        annotations: reads,
        list: 'main_numbers',
      },
    ],
    async handle({ context }) {
      const { numbers } = await businessNumbers.listBusinessNumbers({}, { as: context });
      return json(200, {
        main_numbers: numbers.map(({ id, name, number, numberFormatted }) => ({
          id,
          name,
          number,
          number_formatted: numberFormatted,
        })),
      });
    },
  });

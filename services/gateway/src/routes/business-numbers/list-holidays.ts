import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';

export const listHolidays = ({ holidays }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /holidays',
    summary: 'List public holidays',
    description: 'Of a country in a year, as proposals for closures. No number is closed because of them alone.',
    query: z.object({
      country: z
        .string()
        .regex(/^[A-Za-z]{2}$/, { error: 'must be a country code of two letters' })
        .describe('ISO 3166-1 alpha-2'),
      year: z
        .string()
        .regex(/^\d{4}$/, { error: 'must be a year of four digits' })
        .describe('2000 to 2100'),
    }),
    responses: {
      200: z.object({ holidays: z.array(z.object({ date: z.string().describe('YYYY-MM-DD'), name: z.string() })) }),
    },
    errors: [422, 429],
    async handle({ query, context }) {
      const request = { country: query.country.toUpperCase(), year: Number(query.year) };
      const listed = await holidays.listHolidays(request, { as: context });
      return json(200, { holidays: listed.holidays.map(({ date, name }) => ({ date, name })) });
    },
  });

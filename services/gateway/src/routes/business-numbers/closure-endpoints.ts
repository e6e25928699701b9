import { empty, endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { lineText } from '../shared/bounded-text.ts';
import { closureJson, closureSchema } from './closure-json.ts';

const tag = 'Business numbers';
const fields = {
  name: lineText(128).describe('1 to 128 characters, such as the name of a holiday'),
  from: z.string().max(10).describe('The first day, YYYY-MM-DD, in the time zone of the number'),
  to: z.string().max(10).describe('The last day, YYYY-MM-DD'),
};

export const closureEndpoints = ({ closures }: Clients) => [
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /business_numbers/:id/closures',
    sdkMethod: 'businessNumbers.closures.list',
    tag,
    summary: 'List closures',
    description: 'Days on which the number is closed whatever its business hours say, earliest first.',
    responses: { 200: z.object({ closures: z.array(closureSchema) }) },
    errors: [404],
    async handle({ params, context }) {
      const listed = await closures.listClosures({ businessNumberId: params.id }, { as: context });
      return json(200, { closures: listed.closures.map(closureJson) });
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /business_numbers/:id/closures',
    sdkMethod: 'businessNumbers.closures.create',
    tag,
    summary: 'Add a closure',
    description: 'Calls and texts on these days are outside business hours. At most 200 for each number.',
    body: z.object(fields),
    responses: { 201: closureSchema },
    errors: { 404: 'not_found', 422: 'limit_reached' },
    async handle({ params, body, context }) {
      const { closure } = await closures.createClosure({ ...body, businessNumberId: params.id }, { as: context });
      return json(201, closureJson(closure!));
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PATCH /business_numbers/:id/closures/:closure_id',
    sdkMethod: 'businessNumbers.closures.update',
    tag,
    summary: 'Update a closure',
    description: 'Omitted fields keep their values.',
    body: z.object(fields).partial(),
    responses: { 200: closureSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const request = { ...body, businessNumberId: params.id, id: params.closure_id };
      const { closure } = await closures.updateClosure(request, { as: context });
      return json(200, closureJson(closure!));
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'DELETE /business_numbers/:id/closures/:closure_id',
    sdkMethod: 'businessNumbers.closures.delete',
    tag,
    summary: 'Remove a closure',
    description: 'The number is open on these days as on other ones.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await closures.deleteClosure({ businessNumberId: params.id, id: params.closure_id }, { as: context });
      return empty(204);
    },
  }),
];

export const listHolidays = ({ holidays }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /holidays',
    sdkMethod: 'holidays.list',
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

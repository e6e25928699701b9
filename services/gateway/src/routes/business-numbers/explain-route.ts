import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { invalid, Refused } from '@parley/errors';
import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { routeProposalBody } from './call-flow-body.ts';
import { routeExplanationJson, routeExplanationSchema } from './route-explanation-json.ts';

const isoTime = z.iso.datetime({ offset: true });

export const explainRoute = ({ routeExplanations }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/business_numbers/:id/route_explanation',
    tag: 'Business numbers',
    summary: 'Explain a route',
    description: 'Which slot applies at an instant (now, if not said) and why, what would run and who would be rung.',
    query: z.object({ at: z.string().optional().describe('ISO 8601 with an offset') }),
    responses: { 200: routeExplanationSchema },
    errors: [404, 422],
    async handle({ params, query, context }) {
      // A plus sign that was not escaped has become a space on its way here.
      const at = readTime(query.at?.replace(/ (?=\d\d:?\d\d$)/, '+'));
      return json(
        200,
        routeExplanationJson(await routeExplanations.explainRoute({ id: params.id, at }, { as: context })),
      );
    },
  });

export const explainProposedRoute = ({ routeExplanations }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'post',
    path: '/business_numbers/:id/route_explanation',
    tag: 'Business numbers',
    summary: 'Explain a proposed route',
    description: 'As if the given routing had been saved; what is left out is as saved. Nothing is changed.',
    body: routeProposalBody,
    responses: { 200: routeExplanationSchema },
    errors: [404, 422],
    async handle({ params, body: { at, ...proposal }, context }) {
      const request = { id: params.id, at: readTime(at), proposal };
      return json(200, routeExplanationJson(await routeExplanations.explainRoute(request, { as: context })));
    },
  });

function readTime(at: unknown) {
  if (at === undefined) return undefined;
  const parsed = isoTime.safeParse(at);
  if (!parsed.success) throw new Refused(invalid({ at: ['must be an ISO 8601 timestamp with an offset'] }));
  return timestampFromDate(new Date(parsed.data));
}

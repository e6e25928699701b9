import { invalid, Refused } from '@parley/errors';
import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { callTargetProblems, callTargetsIn } from './call-targets.ts';
import { PROPOSED_SLOTS, routeProposalBody, routeProposalMessage } from './route-proposal-body.ts';
import { routeExplanationJson, routeExplanationSchema } from './route-explanation-json.ts';
import { isoTimeSchema, NO_ISO_TIME, timestampOf } from '../shared/iso-time.ts';

export const explainRoute = ({ presences, routeExplanations }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /business_numbers/:id/route_explanation',
    sdkMethod: 'businessNumbers.explainRoute',
    summary: 'Explain a route',
    description:
      'Which slot applies at a time (default: now) and why, which flow would run and which employees would ring.',
    query: z.object({ at: z.string().max(64).optional().describe('ISO 8601 with an offset') }),
    responses: { 200: routeExplanationSchema },
    errors: [404, 422],
    tools: {
      explain_route: {
        description:
          'What would happen to a call to a business number at a time (default: now) and why: business hours, flow, who would ring. Use it to answer “what do callers hear?”.',
        rename: { id: 'business_number_id' },
      },
    },
    async handle({ params, query, context }) {
      // A plus sign that was not escaped arrives as a space.
      const at = readTime(query.at?.replace(/ (?=\d\d:?\d\d$)/, '+'));
      const request = { id: params.id, at, presence: await presences.list(context) };
      return json(200, routeExplanationJson(await routeExplanations.explainRoute(request, { as: context })));
    },
  });

export const explainProposedRoute = (clients: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /business_numbers/:id/route_explanation',
    sdkMethod: 'businessNumbers.explainProposedRoute',
    summary: 'Explain a proposed route',
    description: 'Explains the route with the given routing; omitted slots are as saved. Nothing is changed.',
    body: routeProposalBody,
    responses: { 200: routeExplanationSchema },
    errors: { 403: '`destination_not_allowed`', 404: 'not_found', 422: 'validation_failed' },
    beforeRefusing({ params, context, rejectedBody }) {
      const slots = Object(rejectedBody) as Readonly<Record<string, unknown>>;
      const named = PROPOSED_SLOTS.flatMap((slot) => callTargetsIn(slots[slot], `${slot}.`));
      return callTargetProblems(clients, params.id, named, context);
    },
    async handle({ params, body, context }) {
      const presence = await clients.presences.list(context);
      const request = { id: params.id, at: timestampOf(body.at), proposal: routeProposalMessage(body), presence };
      const explanation = await clients.routeExplanations.explainRoute(request, { as: context });
      return json(200, routeExplanationJson(explanation));
    },
  });

function readTime(at: string | undefined) {
  if (!isoTimeSchema.optional().safeParse(at).success) throw new Refused(invalid({ at: [NO_ISO_TIME] }));
  return timestampOf(at);
}

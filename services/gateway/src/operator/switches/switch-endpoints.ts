import { endpoint, json } from '@parley/http';
import type { SwitchState } from '@parley/proto/call_control/v1/switches_pb';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';

export const switchEndpoints = (clients: Clients) => [listSwitches(clients), drainSwitch(clients)];

const switchSchema = z
  .object({
    name: z.string(),
    reachable: z.boolean().describe('Whether commands reach it'),
    draining: z.boolean().describe('It takes no new calls, by its settings or by an order'),
    open_calls: z.int().describe('That have not ended, also of callers who wait to be called back'),
    employees: z.int().describe('With a phone that is registered there'),
  })
  .meta({ id: 'Switch' });

const listSwitches = ({ switchAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'GET /switches',
    summary: 'List the switches',
    responses: { 200: z.object({ switches: z.array(switchSchema) }) },
    async handle({ context }) {
      const { switches } = await switchAdmin.listSwitches({}, { as: context });
      return json(200, { switches: switches.map(switchJson) });
    },
  });

const drainSwitch = ({ switchAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'PATCH /switches/:name',
    summary: 'Drain a switch',
    description:
      'A switch that is drained takes no new calls: carriers and phones get 503 and try another one. Calls in progress end in their own time; when `open_calls` is 0 it may be stopped. Emergency calls of its phones are connected all the same. False ends it, unless its settings say `draining`.',
    body: z.object({ draining: z.boolean() }),
    responses: { 200: switchSchema },
    errors: [404],
    async handle({ params, body, context }) {
      const { switch: drained } = await switchAdmin.drainSwitch({ name: params.name, ...body }, { as: context });
      return json(200, switchJson(drained!));
    },
  });

function switchJson({ name, reachable, draining, openCalls, employees }: SwitchState): z.output<typeof switchSchema> {
  return { name, reachable, draining, open_calls: openCalls, employees };
}

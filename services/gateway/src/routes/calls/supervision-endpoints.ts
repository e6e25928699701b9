import { empty, endpoint, json } from '@parley/http';
import { type Supervision, SupervisionMode } from '@parley/proto/call_control/v1/supervision_pb';
import { participantJson, participantSchema } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { reachingCustomers, sets } from '../shared/tool-annotations.ts';

const modes = { listen: SupervisionMode.LISTEN, whisper: SupervisionMode.WHISPER, barge: SupervisionMode.BARGE };
const modeSchema = z.enum(['listen', 'whisper', 'barge']);
const modeNames = modeSchema.options;

const supervisionSchema = z
  .object({ employee: participantSchema, mode: modeSchema, state: z.enum(['ringing', 'joined']) })
  .meta({ id: 'Supervision' });
const supervisionResponse = z.object({ supervision: supervisionSchema });

function supervisionJson({ employee, mode, joined }: Supervision): z.output<typeof supervisionSchema> {
  return {
    employee: participantJson(employee!),
    mode: modeNames.find((name) => modes[name] === mode) ?? 'listen',
    state: joined ? 'joined' : 'ringing',
  };
}

/** Admins listen to conversations. */
export const supervisionEndpoints = ({ supervisions }: Clients) => [
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /calls/:id/supervision',
    sdkMethod: 'calls.supervision.start',
    summary: 'Supervise a conversation',
    description:
      'Rings your phones for up to 30 seconds; the one that answers hears both sides. `listen`: nobody hears you; `whisper`: the employee does; `barge`: both sides do. Repeated, it changes the mode. Hang up to end it. Only while `supervision_enabled` of the company; visible in the timeline of the call.',
    body: z.object({ mode: modeSchema }),
    responses: { 200: supervisionResponse, 201: supervisionResponse },
    errors: [403, 404, 409, 422, 502],
    tools: {
      supervise_call: {
        title: 'Supervise a call',
        description:
          'Rings the employee’s own phone to hear a conversation (get_live_report has the ids); again to change the mode. Only on their explicit request.',
        annotations: reachingCustomers(sets),
        confirm: ({ mode }) => (mode ? `Join the conversation (${mode})? Your phone rings.` : undefined),
      },
    },
    async handle({ params, body, context }) {
      const request = { callId: params.id, mode: modes[body.mode] };
      const { supervision, isNew } = await supervisions.supervise(request, { as: context });
      return json(isNew ? 201 : 200, { supervision: supervisionJson(supervision!) });
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'DELETE /calls/:id/supervision',
    sdkMethod: 'calls.supervision.end',
    summary: 'End your supervision of a conversation',
    description:
      'Takes your phone out of the conversation, which goes on without you. 404 when you do not supervise it.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await supervisions.endSupervision({ callId: params.id }, { as: context });
      return empty(204);
    },
  }),
];

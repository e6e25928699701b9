import { endpoint, json } from '@parley/http';
import { type Erasure, ErasureState } from '@parley/proto/directory/v1/erasures_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { phoneText } from '../shared/bounded-text.ts';
import { requestedPerson } from './requested-person.ts';
import { isoTime, isoTimeOf } from '@parley/public-json';

export const erasureEndpoints = (clients: Clients) => [requestErasure(clients), getErasure(clients)];

export const stateSchema = z.enum(['running', 'done']);

export const erasurePartsSchema = z.array(
  z.object({
    name: z.string().describe('The service that stores the data'),
    state: stateSchema,
    removed: z.int().describe('How many records were removed'),
  }),
);

/** An erasure as partners see it. */
const erasureSchema = z
  .object({
    id: z.string(),
    phone_number: z.string().nullable().describe('E.164, or as the inbox shows the person; null once it is done'),
    state: stateSchema,
    parts: erasurePartsSchema,
    requested_at: z.string().describe('Calls and texts that begin later are new and stay'),
    done_at: z.string().nullable(),
    log_expires_at: z.string().describe('When copies of earlier events have expired everywhere'),
  })
  .meta({ id: 'Erasure' });

const requestErasure = (clients: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /privacy/erasures',
    sdkMethod: 'privacy.erasures.create',
    summary: 'Erase a person',
    description:
      'Removes everything that is stored of a person outside the company: the contact, texts, recordings, transcripts, summaries, voicemails, caller context, the thread, search entries and webhook deliveries. Calls stay for statistics, with `erased` instead of the number. It continues in the background; a call in progress is removed when it has ended. Repeating it is harmless. A business number of the company is nobody’s and is refused.',
    body: z.object({
      phone_number: phoneText.describe('In any common format, or as the inbox shows a short code or a named sender'),
    }),
    responses: { 202: erasureSchema },
    errors: [422, 429],
    async handle({ body, context }) {
      const request = await requestedPerson(clients, body.phone_number, context);
      const { erasure } = await clients.erasures.requestErasure(request, { as: context });
      return json(202, erasureJson(erasure!));
    },
  });

const getErasure = ({ erasures }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /privacy/erasures/:id',
    sdkMethod: 'privacy.erasures.get',
    summary: 'Read an erasure',
    description:
      'How far an erasure is: `state` is `done` once every part is, and `parts` has what each service has removed. The phone number is not shown any more then.',
    responses: { 200: erasureSchema },
    errors: [404],
    async handle({ params, context }) {
      const { erasure } = await erasures.getErasure({ id: params.id }, { as: context });
      return json(200, erasureJson(erasure!));
    },
  });

function erasureJson(erasure: Erasure): z.output<typeof erasureSchema> {
  const { id, phoneNumber, parts, requestedAt, doneAt, logExpiresAt } = erasure;
  return {
    id,
    phone_number: phoneNumber ?? null,
    state: stateJson(erasure.state),
    parts: partsJson(parts),
    requested_at: isoTimeOf(requestedAt),
    done_at: isoTime(doneAt),
    log_expires_at: isoTimeOf(logExpiresAt),
  };
}

export const partsJson = (parts: Erasure['parts']) =>
  parts.map(({ name, state, removed }) => ({ name, state: stateJson(state), removed }));

export const stateJson = (state: ErasureState): z.output<typeof stateSchema> =>
  state === ErasureState.DONE ? 'done' : 'running';

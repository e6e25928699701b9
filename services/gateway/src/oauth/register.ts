import { answer, route } from '@parley/http';
import { z } from 'zod';
import type { AddressOf } from '../pages/visitor.ts';
import type { Clients } from '../peers.ts';
import { clientJson, clientSchema, oauthHttpError } from './oauth-json.ts';

const notAnObject = {
  status: 400,
  error: 'invalid_client_metadata',
  errorDescription: 'the body must be a JSON object',
};

/** RFC 7591. Identity reads the metadata; here it is only JSON. */
export const register = ({ oauth }: Clients, addressOf: AddressOf) =>
  route()({
    method: 'post',
    path: '/oauth/register',
    tag: 'OAuth',
    summary: 'Register an app',
    body: z.looseObject({}),
    bodyBytesMax: 64 * 1024,
    answers: { 201: clientSchema },
    refuses: [400, 429],
    refuseInput: () => oauthHttpError(notAnObject),
    async handle({ body, form, request }) {
      if (form !== undefined) throw oauthHttpError(notAnObject);
      const { outcome } = await oauth.registerClient({
        metadataJson: JSON.stringify(body),
        address: addressOf(request),
      });
      if (outcome.case === 'error') throw oauthHttpError(outcome.value);
      if (outcome.case === undefined) throw new Error('identity answered nothing');
      return answer(201, clientJson(outcome.value));
    },
  });

import { answer, route } from '@parley/http';
import { z } from 'zod';
import type { Clients } from '../peers.ts';
import { clientJson, clientSchema, oauthHttpError } from './oauth-json.ts';

const notAnObject = {
  status: 400,
  error: 'invalid_client_metadata',
  errorDescription: 'the body must be a JSON object',
};

/** RFC 7591. Identity reads the metadata; here it is only JSON. */
export const register = ({ oauth }: Clients) =>
  route()({
    method: 'post',
    path: '/oauth/register',
    tag: 'OAuth',
    summary: 'Register an app',
    body: z.looseObject({}),
    bodyBytesMax: 64 * 1024,
    answers: { 201: clientSchema },
    refuses: [400],
    refuseInput: () => oauthHttpError(notAnObject),
    async handle({ body, form }) {
      if (form !== undefined) throw oauthHttpError(notAnObject);
      const { outcome } = await oauth.registerClient({ metadataJson: JSON.stringify(body) });
      if (outcome.case === 'error') throw oauthHttpError(outcome.value);
      if (outcome.case === undefined) throw new Error('identity answered nothing');
      return answer(201, clientJson(outcome.value));
    },
  });

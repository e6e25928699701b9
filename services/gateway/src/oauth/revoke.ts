import { answer, route } from '@parley/http';
import { z } from 'zod';
import type { ForgetCredential } from '../credentials/forget-credential.ts';
import type { Clients } from '../peers.ts';
import { parametersFrom } from './oauth-json.ts';

/** RFC 7009: 200 whatever is sent, so that the answer says nothing about what is a token. */
export const revoke = ({ oauth }: Clients, forget: ForgetCredential) =>
  route()({
    method: 'post',
    path: '/oauth/revoke',
    tag: 'OAuth',
    summary: 'Give a token back',
    bodySentAs: 'form',
    bodyBytesMax: 64 * 1024,
    answers: { 200: z.object({}) },
    async handle({ form }) {
      const { revoked } = await oauth.revokeToken({ parameters: parametersFrom(form) });
      if (revoked) forget(revoked);
      return answer(200, {});
    },
  });

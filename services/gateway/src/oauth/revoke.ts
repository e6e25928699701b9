import { answer, route } from '@parley/http';
import { z } from 'zod';
import type { Clients } from '../peers.ts';
import { parametersFrom } from './oauth-json.ts';

/** RFC 7009: 200 whatever is sent, so that the answer says nothing about what is a token. */
export const revoke = ({ oauth }: Clients) =>
  route()({
    method: 'post',
    path: '/oauth/revoke',
    tag: 'OAuth',
    summary: 'Give a token back',
    bodySentAs: 'form',
    bodyBytesMax: 64 * 1024,
    answers: { 200: z.object({}) },
    async handle({ form }) {
      await oauth.revokeToken({ parameters: parametersFrom(form) });
      return answer(200, {});
    },
  });

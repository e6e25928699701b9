import { refusal } from '@parley/errors';
import { endpoint, type InputProblem, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { TEXT_UNITS_MAX } from './call-flow-body.ts';
import { boundedText, cleanText } from '../shared/bounded-text.ts';
import { isoTimeOf } from '@parley/public-json';

/** A little longer than the service's own time limit, so that its response gets through. */
const SPEAK_TIME_MAX_MS = 55_000;
/** Thirty previews at once are synthesized one after the other. */
const TIME_LIMIT_MS = 58_000;

export const createVoicePreview = ({ voicePreviews }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /business_numbers/:id/voice_previews',
    sdkMethod: 'businessNumbers.voicePreviews.create',
    summary: 'Create a voice preview',
    description:
      'Synthesizes a text in the number’s voice and language, or in the given ones. The audio expires after an hour. At most 30 previews and 30,000 characters a minute per company.',
    body: z.object({
      kind: z.string().max(64).describe('welcome, greeting, message or prompt'),
      text: z.string().overwrite(cleanText).max(TEXT_UNITS_MAX).describe('Up to 10,000 characters'),
      language: boundedText(35).optional().describe('Language code; the number’s unless given'),
      voice: boundedText(64)
        .optional()
        .describe('One of `voices` of GET /assistant_options; that of the language unless given'),
    }),
    responses: { 201: z.object({ audio_url: z.string(), signed_id: z.string(), expires_at: z.string() }) },
    errors: { 404: 'not_found', 422: 'invalid_kind, blank_text', 429: 'rate_limited', 500: 'speech_failed' },
    inputError: refuseInput,
    timeLimitMs: TIME_LIMIT_MS,
    async handle({ params, body, context }) {
      const { audioUrl, signedId, expiresAt } = await voicePreviews.createVoicePreview(
        { businessNumberId: params.id, ...body },
        { as: context, timeoutMs: SPEAK_TIME_MAX_MS },
      );
      return json(201, { audio_url: audioUrl, signed_id: signedId, expires_at: isoTimeOf(expiresAt) });
    },
  });

/** Missing or of the wrong type is as wrong as an unknown kind or a blank text, and has the same code. */
function refuseInput({ fields }: InputProblem) {
  if ('kind' in fields || 'body' in fields) return refusal('invalid_kind', 'kind is missing or wrong', { fields });
  const blank = fields['text']?.some((problem) => /required|must be/.test(problem));
  return blank ? refusal('blank_text', 'text must not be blank', { fields }) : undefined;
}

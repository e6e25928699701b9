import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import {
  ANNOUNCE_POSITION_TEXT,
  businessNumberJson,
  businessNumberSchema,
  CALLBACK_OFFER_TEXT,
  RING_STRATEGY_TEXT,
  ringStrategyOf,
  ringStrategySchema,
  waitAudioOf,
  waitAudioSchema,
} from './business-number-json.ts';
import { TEXT_UNITS_MAX } from './call-flow-body.ts';

export const updateBusinessNumber = ({ businessNumbers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'patch',
    path: '/business_numbers/:id',
    tag: 'Business numbers',
    summary: 'Update a business number',
    description: 'Routing and business hours have their own endpoints.',
    body: z.object({
      name: z.string().max(128).optional().describe('ASCII letters, digits, spaces and -_~!.+, up to 128 characters'),
      timezone: z.string().max(64).optional().describe('IANA'),
      language: z.string().max(35).optional(),
      recording_enabled: z.boolean().optional(),
      recording_announcement: z
        .string()
        .max(TEXT_UNITS_MAX)
        .nullable()
        .optional()
        .describe('What the other side hears before a recorded conversation; null for nothing'),
      wait_audio: waitAudioSchema.optional(),
      ring_strategy: ringStrategySchema.optional().describe(RING_STRATEGY_TEXT),
      announce_position: z.boolean().optional().describe(ANNOUNCE_POSITION_TEXT),
      callback_offer: z.boolean().optional().describe(CALLBACK_OFFER_TEXT),
    }),
    responses: { 200: businessNumberSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { view } = await businessNumbers.updateBusinessNumber(
        {
          id: params.id,
          name: body.name,
          timezone: body.timezone,
          language: body.language,
          recordingEnabled: body.recording_enabled,
          recordingAnnouncement: announcementMessage(body.recording_announcement),
          waitAudio: waitAudioOf(body.wait_audio),
          ringStrategy: ringStrategyOf(body.ring_strategy),
          announcePosition: body.announce_position,
          callbackOffer: body.callback_offer,
        },
        { as: context },
      );
      return json(200, businessNumberJson(view));
    },
  });

/** Undefined is "as it is", a message without a text is none. */
function announcementMessage(text: string | null | undefined) {
  if (text === undefined) return undefined;
  return text === null ? {} : { text };
}

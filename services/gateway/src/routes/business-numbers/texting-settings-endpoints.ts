import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { textChange } from '../shared/text-change.ts';
import { TEXT_UNITS_MAX } from './call-flow-body.ts';
import type { TextingSettings } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { cleanText } from '../shared/bounded-text.ts';

/** The automatic reply of a number. */
const textingSettingsSchema = z
  .object({
    auto_reply_enabled: z.boolean(),
    auto_reply_text: z.string().nullable(),
    auto_reply_cooldown_minutes: z.int(),
  })
  .meta({ id: 'TextingSettings' });

function textingSettingsJson(settings: TextingSettings): z.output<typeof textingSettingsSchema> {
  return {
    auto_reply_enabled: settings.autoReplyEnabled,
    auto_reply_text: settings.autoReplyText ?? null,
    auto_reply_cooldown_minutes: settings.autoReplyCooldownMinutes,
  };
}

export const textingSettingsEndpoints = (clients: Clients) => [
  getTextingSettings(clients),
  updateTextingSettings(clients),
];

const getTextingSettings = ({ textingSettings }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /business_numbers/:id/texting_settings',
    sdkMethod: 'businessNumbers.getTextingSettings',
    summary: 'Read texting settings',
    description: 'Returns the defaults if none are saved. 404 while texting is off for the company.',
    responses: { 200: textingSettingsSchema },
    errors: [404],
    async handle({ params, context }) {
      const request = { businessNumberId: params.id };
      const { settings } = await textingSettings.getTextingSettings(request, { as: context });
      return json(200, textingSettingsJson(settings!));
    },
  });

const INT32_MAX = 2 ** 31 - 1;

const updateTextingSettings = ({ textingSettings }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PATCH /business_numbers/:id/texting_settings',
    sdkMethod: 'businessNumbers.updateTextingSettings',
    summary: 'Update texting settings',
    description: 'Auto-reply sends real, chargeable texts. 404 while texting is off for the company.',
    body: z.object({
      auto_reply_enabled: z.boolean().optional(),
      auto_reply_text: z
        .string()
        .overwrite(cleanText)
        .max(TEXT_UNITS_MAX)
        .nullish()
        .describe('Up to 10,000 characters; needed while auto-reply is enabled'),
      auto_reply_cooldown_minutes: z.int().min(-INT32_MAX).max(INT32_MAX).optional().describe('60 to 43,200'),
    }),
    responses: { 200: textingSettingsSchema },
    errors: [403, 404, 422],
    // While texting is off the settings do not exist: 404 whatever is sent.
    async beforeRefusing({ params, context }) {
      await textingSettings.getTextingSettings({ businessNumberId: params.id }, { as: context });
      return undefined;
    },
    async handle({ params, body, context }) {
      const { settings } = await textingSettings.updateTextingSettings(
        {
          businessNumberId: params.id,
          autoReplyEnabled: body.auto_reply_enabled,
          autoReplyText: textChange(body.auto_reply_text),
          autoReplyCooldownMinutes: body.auto_reply_cooldown_minutes,
        },
        { as: context },
      );
      return json(200, textingSettingsJson(settings!));
    },
  });

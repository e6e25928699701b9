import type { TextingSettings } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { z } from 'zod';

/** The automatic reply of a number. */
export const textingSettingsSchema = z
  .object({
    auto_reply_enabled: z.boolean(),
    auto_reply_text: z.string().nullable(),
    auto_reply_cooldown_minutes: z.int(),
  })
  .meta({ id: 'TextingSettings' });

export function textingSettingsJson(settings: TextingSettings | undefined): z.output<typeof textingSettingsSchema> {
  if (!settings) throw new Error('a response without settings');
  return {
    auto_reply_enabled: settings.autoReplyEnabled,
    auto_reply_text: settings.autoReplyText ?? null,
    auto_reply_cooldown_minutes: settings.autoReplyCooldownMinutes,
  };
}

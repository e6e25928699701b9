import type { BusinessNumber, TextingSettings } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';

export interface TextingForm {
  readonly enabled: boolean;
  readonly text: string;
  /** In minutes, as typed. */
  readonly cooldown: string;
}

export function textingForm(settings: TextingSettings): TextingForm {
  return {
    enabled: settings.auto_reply_enabled,
    text: settings.auto_reply_text ?? '',
    cooldown: String(settings.auto_reply_cooldown_minutes),
  };
}

export function textingBody({ enabled, text, cooldown }: TextingForm): TextingSettings {
  return {
    auto_reply_enabled: enabled,
    auto_reply_text: text.trim() === '' ? null : text,
    // The API refuses a text that is no number.
    auto_reply_cooldown_minutes: Number(cooldown),
  };
}

export function textingText(sms: BusinessNumber['messaging']['sms']): string {
  if (sms.can_send && sms.can_receive) return t('This number sends and receives texts.');
  if (sms.can_receive) return t('This number receives texts, but cannot send any.');
  if (sms.can_send) return t('This number sends texts, but cannot receive any.');
  return t('This number neither sends nor receives texts.');
}

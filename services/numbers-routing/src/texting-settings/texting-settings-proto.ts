import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TextingSettingsSchema } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { BusinessNumber } from '../numbers/business-number.ts';
import { DEFAULT_TEXTING_SETTINGS } from './texting-settings.ts';

/** The settings that apply to a number: saved ones or the defaults. */
export function textingSettingsToProto({
  textingSettings,
}: Pick<BusinessNumber, 'textingSettings'>): MessageInitShape<typeof TextingSettingsSchema> {
  const { autoReplyText, ...settings } = textingSettings ?? DEFAULT_TEXTING_SETTINGS;
  return { ...settings, ...(autoReplyText !== null && { autoReplyText }) };
}

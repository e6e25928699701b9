import type { Clock } from '@parley/clock';
import { notFound, refusal, Refused } from '@parley/errors';
import {
  TextingSettingsService,
  type UpdateTextingSettingsRequest,
} from '@parley/proto/numbers_routing/v1/texting_settings_pb';
import { type EmployeePrincipal, employees, type RpcServer } from '@parley/rpc';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TextingSettingsSchema } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { Directory } from '../directory/directory-client.ts';
import type { BusinessNumbers } from '../numbers/business-number-store.ts';
import type { BusinessNumber, TextingSettings } from '../numbers/business-number.ts';
import { DEFAULT_TEXTING_SETTINGS, updateTextingSettings } from './texting-settings.ts';

interface TextingDeps {
  readonly numbers: BusinessNumbers;
  readonly directory: Directory;
  readonly clock: Clock;
}

/** Both RPCs of the contract. Without the company's messaging flag there are no such settings. */
export function addTextingSettingsRpcs(server: RpcServer, { numbers, directory, clock }: TextingDeps): void {
  const requireMessaging = async ({ companyId }: EmployeePrincipal) => {
    const { messagingEnabled } = await directory.company(companyId);
    if (!messagingEnabled) throw new Refused(notFound);
  };
  const accessRules = {
    getTextingSettings: employees.withRole('member'),
    updateTextingSettings: employees.withRole('admin'),
  };
  server.add(TextingSettingsService, accessRules, {
    async getTextingSettings({ businessNumberId }, { principal }) {
      await requireMessaging(principal);
      const number = await numbers.of(principal.companyId).get(businessNumberId);
      if (!number) throw new Refused(notFound);
      return { settings: textingSettingsToProto(number) };
    },
    async updateTextingSettings(request, { principal }) {
      await requireMessaging(principal);
      const { companyId, employeeId } = principal;
      if ((await directory.unknownEmployees(companyId, [employeeId])).size > 0)
        throw new Refused(refusal('forbidden', 'forbidden'));
      const change = changeFromProto(request);
      const number = await numbers
        .of(companyId)
        .change(request.businessNumberId, (current) => updateTextingSettings(current, change, clock.now()));
      return { settings: textingSettingsToProto(number) };
    },
  });
}

function changeFromProto(request: UpdateTextingSettingsRequest): Partial<TextingSettings> {
  const { autoReplyEnabled, autoReplyText, autoReplyCooldownMinutes } = request;
  return {
    ...(autoReplyEnabled !== undefined && { autoReplyEnabled }),
    ...(autoReplyText !== undefined && { autoReplyText: autoReplyText.value ?? null }),
    ...(autoReplyCooldownMinutes !== undefined && { autoReplyCooldownMinutes }),
  };
}

/** The settings that apply to a number: saved ones or the defaults. */
export function textingSettingsToProto({
  textingSettings,
}: Pick<BusinessNumber, 'textingSettings'>): MessageInitShape<typeof TextingSettingsSchema> {
  const { autoReplyText, ...settings } = textingSettings ?? DEFAULT_TEXTING_SETTINGS;
  return { ...settings, ...(autoReplyText !== null && { autoReplyText }) };
}

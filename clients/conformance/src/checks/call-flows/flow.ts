import { eventually } from '../../expectations/eventually.ts';
import { Failure } from '../../expectations/failure.ts';
import { someText } from '../../expectations/shapes.ts';
import type { ApiClient } from '../../http/api-client.ts';
import type { PendingReply } from '../../http/reply.ts';
import type { Company } from '../../world/company.ts';

export const SLOTS = ['incoming_call_config', 'outside_business_hours_config', 'no_answer_config'] as const;
export type Slot = (typeof SLOTS)[number];

/** A flow of every type, and the field with the generated audio of those that speak. */
export const flowsFor = (employeeId: string) =>
  [
    { flow: { type: 'TransferConfig', employee_ids: [employeeId] } },
    {
      flow: { type: 'WelcomeTransferConfig', welcome: 'Welcome to us.', employee_ids: [employeeId] },
      audio: 'welcome_audio_url',
    },
    { flow: { type: 'RejectConfig', message: 'We are closed today.' }, audio: 'message_audio_url' },
    { flow: { type: 'VoicemailConfig', greeting: 'Please leave a message.' }, audio: 'greeting_audio_url' },
    {
      flow: {
        type: 'PhoneMenuConfig',
        welcome: 'Press one for sales.',
        menu_options: [{ digit: '1', action_type: 'TransferConfig', employee_ids: [employeeId] }],
      },
      audio: 'welcome_audio_url',
    },
  ] as const;

/** Speech takes a moment the first time. */
const GENERATED = { withinMs: 60_000 };

/** The address of the audio of a slot, as soon as it is there. */
export async function audioOf(company: ApiClient, path: string, slot: Slot, field: string): Promise<string> {
  const read = () => company.get(path).gives(200, { [slot]: { [field]: someText } });
  const number = await eventually(`${field} is there`, read, GENERATED);
  return number[slot][field];
}

/** Waits until the number at this path has all its audio, so that a call hears it at once. */
export async function hasAudio(company: ApiClient, path: string): Promise<void> {
  await eventually(
    'all audio is there',
    async () => {
      const { text } = await company.get(path);
      if (/"\w+_audio_url":null/.test(text)) throw new Failure('some is not');
    },
    GENERATED,
  );
}

/** A number of its own, and a menu with these options in its first slot. */
export async function menuOf(company: Company) {
  const { id } = await company.number();
  const path = `/business_numbers/${id}`;
  const put = (menuOptions: unknown) =>
    company.put(`${path}/incoming_call_config`, {
      type: 'PhoneMenuConfig',
      welcome: 'Press a key.',
      menu_options: menuOptions,
    });
  return { path, put };
}

/** A refusal whose `errors` name the field or something in it. */
export async function isRefusedIn(sent: PendingReply, field: string): Promise<void> {
  const { errors } = await sent.isRefused(422, { code: 'validation_failed' });
  const fields = Object.keys(errors ?? {});
  if (!fields.some((one) => one === field || one.startsWith(`${field}[`) || one.startsWith(`${field}.`)))
    throw new Failure(`the refusal names ${fields.join(', ') || 'no field'} instead of ${field}`);
}

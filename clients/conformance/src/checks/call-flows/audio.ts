import { eventually } from '../../expectations/eventually.ts';
import { expectThat } from '../../expectations/expect.ts';
import { someText } from '../../expectations/shapes.ts';
import { audioAt } from '../../world/audio.ts';
import { type Check, checksOf } from '../check.ts';
import { audioOf, flowsFor, menuOf } from './flow.ts';

const { must } = checksOf('call-flows');
const TYPES = { source: 'service-api.md: Call flow config types', profile: 'full' } as const;
export const audioChecks: readonly Check[] = [
  must(70, 'Every flow that speaks gets the address of its audio.', TYPES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const path = `/business_numbers/${id}`;
    for (const { flow, ...speaking } of flowsFor(company.owner.id)) {
      if (!('audio' in speaking)) continue;
      await company.put(`${path}/incoming_call_config`, flow).gives(200);
      await audioOf(company, path, 'incoming_call_config', speaking.audio);
    }
  }),

  must(71, 'The audio of a flow can be listened to without a credential.', TYPES, async ({ companies, network }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const path = `/business_numbers/${id}`;
    await company.put(`${path}/incoming_call_config`, { type: 'RejectConfig', message: 'We are closed.' }).gives(200);
    await audioAt(network, await audioOf(company, path, 'incoming_call_config', 'message_audio_url'));
  }),

  must(72, 'The audio changes with the text.', TYPES, async ({ companies, network }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const path = `/business_numbers/${id}`;
    const sounds: string[] = [];
    for (const greeting of ['Leave a message.', 'Leave a long message, please.']) {
      await company.put(`${path}/incoming_call_config`, { type: 'VoicemailConfig', greeting }).gives(200);
      const bytes = await audioAt(network, await audioOf(company, path, 'incoming_call_config', 'greeting_audio_url'));
      sounds.push(Buffer.from(bytes).toString('base64'));
    }
    expectThat(sounds[0] !== sounds[1], 'the audio of the new greeting is that of the old one');
  }),

  must(73, 'The prompt of a menu option gets the address of its audio.', TYPES, async ({ companies }) => {
    const company = await companies.shared();
    const { path, put } = await menuOf(company);
    await put([
      { digit: '1', action_type: 'PlayMessageConfig', prompt: 'We open at nine.' },
      { digit: '2', action_type: 'TransferConfig', employee_ids: [company.owner.id] },
    ]).gives(200);
    await eventually(
      'the prompt has its audio',
      () =>
        company.get(path).gives(200, {
          incoming_call_config: { menu_options: [{ prompt_audio_url: someText }, { prompt_audio_url: null }] },
        }),
      { withinMs: 60_000 },
    );
  }),
];

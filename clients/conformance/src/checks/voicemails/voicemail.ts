import { nullable, someText, text, timestamp } from '../../expectations/shapes.ts';
import { eventually } from '../../expectations/eventually.ts';
import { Failure } from '../../expectations/failure.ts';
import { openNumber } from '../../world/conversations.ts';
import type { Company } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';
import { once } from '../../world/once.ts';
import { freshPhone } from '../../world/random.ts';

export const VOICEMAIL = {
  id: someText,
  from: text,
  listened_at: nullable(timestamp),
  transcription: nullable(text),
  created_at: timestamp,
  recording_url: nullable(text),
  main_number_id: text,
  main_number_name: text,
};

/** The number of a company that takes voicemails. */
async function voicemailNumber(company: Company): Promise<any> {
  const routing = { type: 'VoicemailConfig', greeting: 'Please leave a message.' };
  return await once(company, 'voicemail number', () => openNumber(company, { incoming_call_config: routing }));
}

/** Has a customer leave a message; the voicemail as the list has it. */
export async function newVoicemail({ sandbox }: Context, company: Company): Promise<any> {
  const { number } = await voicemailNumber(company);
  const from = freshPhone();
  const customer = await sandbox.call(from, number);
  await customer.hears('beep');
  await customer.say('Please call me back about my order tomorrow morning.');
  await customer.hangUp();
  return await eventually('the voicemail is saved', async () => {
    const { voicemails } = await company.get('/voicemails').gives(200);
    const found = voicemails.find((one: { from: string }) => one.from === from);
    if (!found) throw new Failure(`none of ${voicemails.length} is from ${from}`);
    return found;
  });
}

/** One that nobody changes for good. */
export async function keptVoicemail(context: Context): Promise<{ company: Company; voicemail: any; number: any }> {
  const company = await context.companies.shared();
  const voicemail = await once(company, 'voicemail', () => newVoicemail(context, company));
  return { company, voicemail, number: await voicemailNumber(company) };
}

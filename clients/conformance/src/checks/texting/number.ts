import { eventually } from '../../expectations/eventually.ts';
import { Failure } from '../../expectations/failure.ts';
import type { Company } from '../../world/company.ts';
import type { Sandbox } from '../../world/sandbox.ts';

const CLOSED = Array.from({ length: 7 }, (_, day_of_week) => ({ day_of_week, open: false }));
const OPEN = CLOSED.map(({ day_of_week }) => ({ day_of_week, open: true, opening_at: '00:00', closing_at: '24:00' }));

export const REPLY = 'We are closed. We answer tomorrow.';

/** A number of its own, with its texting settings. */
export async function numberOf(company: Company) {
  const { id, number } = await company.number();
  const settings = `/business_numbers/${id}/texting_settings`;
  return {
    id: id as string,
    number: number as string,
    settings,
    patch: (body: object) => company.patch(settings, body),
  };
}

/** A number that answers texts by itself, closed or open at every hour. */
export async function replyingNumber(company: Company, { isOpen = false } = {}) {
  const one = await numberOf(company);
  const hours = { type: null, business_hours: isOpen ? OPEN : CLOSED };
  await company.put(`/business_numbers/${one.id}/outside_business_hours_config`, hours).gives(200);
  await one.patch({ auto_reply_enabled: true, auto_reply_text: REPLY }).gives(200);
  return one;
}

/** Waits until the provider was asked to send so many texts from the number to the customer; all of them. */
export async function sentTexts(sandbox: Sandbox, from: string, to: string, count: number): Promise<string[]> {
  return await eventually(`${count} texts go to the customer`, async () => {
    const texts = (await sandbox.textsTo(to)).filter((text) => text.from === from).map(({ text }) => text);
    if (texts.length < count) throw new Failure(`there are ${texts.length}`);
    return texts;
  });
}

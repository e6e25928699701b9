import type { Page } from 'playwright-core';
import type { Texting } from '../messages/texting.ts';

/** What tests use of the inbox in a window, which is opened later. */
export function inboxParts(window: () => Page) {
  return {
    thread: (name: string | RegExp) => window().getByRole('list', { name: 'Threads' }).getByRole('listitem', { name }),
    log: () => window().getByRole('log', { name: 'Activity' }),
    message: () => window().getByRole('textbox', { name: 'Message' }),
    open: (phone: string) => window().goto(`/dashboard/inbox/${encodeURIComponent(phone)}`),
    pressSend: () => window().getByRole('button', { name: 'Send', exact: true }).click(),
  };
}

export async function isUnseen({ company }: Texting, phone: string): Promise<boolean> {
  const { body } = await company.call('GET', '/inbox?unseen=true');
  return body.threads.some(({ phone_number: number }: { phone_number: string }) => number === phone);
}

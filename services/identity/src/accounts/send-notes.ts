import type { BackgroundWork, Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import type { DueWork } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { Accounts } from './account-store.ts';
import { MAIL_LEASE_MS } from '../mail/mail-retries.ts';
import type { SendMail } from '../mail/mailer.ts';
import { endNote, nextNote, postponeNote } from '../notes/note.ts';
import { noteText } from '../notes/note-text.ts';

/** Sends employees e-mails about changes of their accounts; a crash after sending can cause a duplicate. */
export function sendNotes(options: {
  accounts: Accounts;
  send: SendMail;
  publicUrl: string;
  clock: Clock;
  backgroundWork: BackgroundWork;
  log: Logger;
}): DueWork {
  const { accounts, send, publicUrl, clock, backgroundWork, log } = options;
  return accounts.startDueWork({
    name: 'notes',
    clock,
    backgroundWork,
    log,
    concurrency: 4,
    leaseMs: MAIL_LEASE_MS,
    async handle(account, claim) {
      const note = nextNote(account);
      // Another process has sent it.
      if (!note) return;
      try {
        const { employeeId, companyId } = account;
        await send({ address: note.to, employeeId, companyId }, noteText(note, account.name, `${publicUrl}/signin`));
        await claim.finish((current) => decided(endNote(current, note, clock.now())));
      } catch (error) {
        log.warn({ err: error, account: account.id, tries: note.tries + 1 }, 'note not sent; trying again');
        await claim.finish((current) => decided(postponeNote(current, note, clock.now())));
      }
    },
  });
}

import type { BackgroundWork, Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { type DueDocument, type DueWork, startDueWork } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { Collection } from 'mongodb';
import type { Accounts } from '../accounts/account-store.ts';
import { MAIL_LEASE_MS } from '../mail/mail-retries.ts';
import type { SendMail } from '../mail/mailer.ts';
import { endNote, nextNote, postponeNote } from './note.ts';
import { noteText } from './note-text.ts';

/** Tells employees what has happened to their accounts; a crash at the wrong moment tells them twice. */
export function sendNotes(options: {
  accounts: Accounts;
  send: SendMail;
  publicUrl: string;
  clock: Clock;
  backgroundWork: BackgroundWork;
  log: Logger;
}): DueWork {
  const { accounts, send, publicUrl, clock, backgroundWork, log } = options;
  return startDueWork({
    name: 'notes',
    collection: accounts.collection as unknown as Collection<DueDocument & { companyId: string }>,
    clock,
    backgroundWork,
    log,
    concurrency: 4,
    leaseMs: MAIL_LEASE_MS,
    async handle({ _id, companyId }) {
      const own = accounts.of(companyId);
      const account = await own.get(_id);
      const note = account && nextNote(account);
      // Somebody else has sent it, or the employee is gone.
      if (!note) return;
      try {
        await send(note.to, noteText(note, account.name, `${publicUrl}/signin`));
        await own.change(_id, (current) => decided(endNote(current, note, clock.now())));
      } catch (error) {
        log.warn({ err: error, account: _id, tries: note.tries + 1 }, 'note not sent; trying again');
        await own.change(_id, (current) => decided(postponeNote(current, note, clock.now())));
      }
    },
  });
}

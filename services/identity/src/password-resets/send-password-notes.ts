import type { Activity, Clock } from '@parley/clock';
import { type DueDocument, type DueWork, startDueWork } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { Collection } from 'mongodb';
import type { Accounts } from '../accounts/account-store.ts';
import { MAIL_LEASE_MS } from '../mail/mail-retries.ts';
import type { SendMail } from '../mail/mailer.ts';
import { endNote, postponeNote } from './password-reset.ts';
import { passwordNoteText } from './password-reset-text.ts';

/** Tells employees that their password was changed; a crash at the wrong moment tells them twice. */
export function sendPasswordNotes(options: {
  accounts: Accounts;
  send: SendMail;
  publicUrl: string;
  clock: Clock;
  activity: Activity;
  log: Logger;
}): DueWork {
  const { accounts, send, publicUrl, clock, activity, log } = options;
  return startDueWork({
    name: 'password notes',
    collection: accounts.collection as unknown as Collection<DueDocument & { companyId: string }>,
    clock,
    activity,
    log,
    concurrency: 4,
    leaseMs: MAIL_LEASE_MS,
    async handle({ _id, companyId }) {
      const own = accounts.of(companyId);
      const account = await own.get(_id);
      const note = account?.passwordNote;
      if (!note) return;
      const { name, email } = account;
      try {
        await send(email, passwordNoteText({ name, changedAt: note.changedAt, signInUrl: `${publicUrl}/signin` }));
        await own.change(_id, (current) => endNote(current, note));
      } catch (error) {
        log.warn({ err: error, account: _id, tries: note.tries + 1 }, 'password note not sent; trying again');
        await own.change(_id, (current) => postponeNote(current, note, clock.now()));
      }
    },
  });
}

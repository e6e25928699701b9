import type { ThrottleResult, Limit, Throttles } from '../throttles/throttle-store.ts';
import type { MailRecipient, SendMail } from './mailer.ts';

const HOUR_SECS = 3600;
const DAY_SECS = 24 * HOUR_SECS;
/** Invitations, links to a new password and notifications together. */
const PER_ADDRESS: Limit = { max: 10, windowSecs: HOUR_SECS };
/** An employee whose address is changed again and again. */
const PER_EMPLOYEE: Limit = { max: 10, windowSecs: HOUR_SECS };
const PER_EMPLOYEE_AND_DAY: Limit = { max: 20, windowSecs: DAY_SECS };
/** Enough to invite the largest company twice. */
const PER_COMPANY_AND_DAY: Limit = { max: 2000, windowSecs: DAY_SECS };
const THREADS_PER_ADDRESS: Limit = { max: 60, windowSecs: HOUR_SECS };
const THREADS_PER_EMPLOYEE_AND_DAY: Limit = { max: 300, windowSecs: DAY_SECS };

type CountedLimits = readonly (readonly [readonly string[], Limit])[];

/**
 * Limits e-mails: clients that can enter addresses must not use the service as a mail relay. Throws at a limit, as for
 * a mail server that refuses, so the e-mail is tried again later.
 */
export function limitMails(send: SendMail, throttles: Pick<Throttles, 'consume' | 'withdraw'>): SendMail {
  return limited(send, throttles, ({ address, employeeId, companyId }) => [
    [['mails to address', address.trim().toLowerCase()], PER_ADDRESS],
    [['mails to employee', employeeId], PER_EMPLOYEE],
    [['mails to employee in a day', employeeId], PER_EMPLOYEE_AND_DAY],
    [['mails of company', companyId], PER_COMPANY_AND_DAY],
  ]);
}

/** E-mails about threads have limits of their own: callers cause them, who must neither fill a mailbox nor use up the others. */
export function limitThreadMails(send: SendMail, throttles: Pick<Throttles, 'consume' | 'withdraw'>): SendMail {
  return limited(send, throttles, ({ address, employeeId }) => [
    [['thread mails to address', address.trim().toLowerCase()], THREADS_PER_ADDRESS],
    [['thread mails to employee', employeeId], THREADS_PER_EMPLOYEE_AND_DAY],
  ]);
}

function limited(
  send: SendMail,
  throttles: Pick<Throttles, 'consume' | 'withdraw'>,
  limitsOf: (recipient: MailRecipient) => CountedLimits,
): SendMail {
  return async (recipient, mail) => {
    const counted: ThrottleResult[] = [];
    try {
      for (const [what, limit] of limitsOf(recipient)) {
        const result = await throttles.consume(what, limit);
        if (!result.allowed) throw new Error(`too many e-mails; the next one in ${result.retryAfterSecs} s`);
        counted.push(result);
      }
      await send(recipient, mail);
    } catch (error) {
      // Mails that were not sent do not count.
      await Promise.all(counted.map((result) => throttles.withdraw(result)));
      throw error;
    }
  };
}

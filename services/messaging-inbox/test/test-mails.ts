import { type SendThreadMailRequest, ThreadMailService } from '@parley/proto/identity/v1/thread_mails_pb';
import { fakeContract } from '@parley/testkit/service';

/** Identity, which takes e-mails or refuses them. */
export function testMails() {
  const sent: SendThreadMailRequest[] = [];
  const refused = new Set<string>();
  return {
    sent,
    /** Refuses e-mails to an employee from now on. */
    refuse: (employeeId: string, refuses: boolean) =>
      void (refuses ? refused.add(employeeId) : refused.delete(employeeId)),
    contract: fakeContract(ThreadMailService, {
      async sendThreadMail(mail) {
        if (refused.has(mail.employeeId)) throw new Error('the mail server does not answer');
        sent.push(mail);
        return {};
      },
    }),
  };
}

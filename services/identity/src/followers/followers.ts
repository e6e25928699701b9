import { type Actor, runAs } from '@parley/actor';
import type { EventHandler } from '@parley/events';
import type { FollowsEvents } from '@parley/service';
import { type Account, verifyAgain, isOpen } from '../accounts/account.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import { type EmployeeStores, endEmployee } from '../credentials/end-employee.ts';

interface FollowerDeps extends EmployeeStores {
  readonly companyRules: CompanyRules;
  /** There is an invitation, or another e-mail, to send. */
  readonly invited: () => void;
}

/** Follows everything that happens to employees and companies: a gap in an aggregate's events would hold the next one up. */
export function startFollowers(service: FollowsEvents, deps: FollowerDeps): Promise<void> {
  const { accounts, sessions, companyRules, invitationMails, invited, clock } = deps;

  /** Both events carry the same snapshot. */
  const onCompanyChanged: EventHandler<'directory.company.created' | 'directory.company.updated'> = async ({
    company,
  }) => {
    if (!company) return;
    await companyRules.save(company);
    if (!company.suspended) return;
    // Ends live connections, softphone sessions and their registrations: they work again with what is made after the suspension.
    for await (const chunk of accounts.of(company.id).findInChunks({}, { id: 1 }))
      for (const { id } of chunk) await accounts.of(company.id).changeIfExists(id, verifyAgain);
  };

  async function invite(account: Account): Promise<void> {
    if (!isOpen(account)) return;
    await invitationMails.plan(account, clock.now());
    invited();
  }

  return service.follow({
    name: 'identity-directory',
    handlers: {
      'directory.company.created': onCompanyChanged,
      'directory.company.updated': onCompanyChanged,
      async 'directory.employee.created'({ employee }) {
        if (!employee) return;
        const account = await accounts.ensure(employee);
        if (employee.invitationPending) await invite(account);
      },
      /**
       * An employee who gets another address before the first sign-in gets another invitation, too; later, an e-mail to the old one. One who
       * is reactivated before the first sign-in is invited again.
       */
      async 'directory.employee.updated'({ employee }, { actor }) {
        if (!employee) return;
        const account = await accounts.ensure(employee);
        if (employee.deactivatedAt) {
          await invitationMails.remove(employee);
          await as(actor, () => sessions.endOutdated(account));
          return;
        }
        if (account.due) invited();
        if (employee.invitationPending && !account.invitation && !account.passwordHash) await invite(account);
      },
      async 'directory.employee.deleted'({ employee }, { actor }) {
        if (!employee) return;
        // Whoever removes an employee ends their credentials.
        await as(actor, () => endEmployee(deps, employee));
      },
    },
  });
}

function as<Result>(actor: Actor | undefined, work: () => Result): Result {
  return actor ? runAs(actor, work) : work();
}

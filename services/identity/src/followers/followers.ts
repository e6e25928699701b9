import { runAs } from '@parley/actor';
import type { EventHandler } from '@parley/events';
import type { FollowsEvents } from '@parley/service';
import { verifyAgain } from '../accounts/account.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import { type EmployeeStores, endEmployee } from '../credentials/end-employee.ts';

/** Follows everything that happens to employees and companies: a gap in an aggregate's events would hold the next one up. */
export function startFollowers(service: FollowsEvents, deps: FollowerDeps): Promise<void> {
  return service.follow({
    name: 'identity-directory',
    handlers: {
      'directory.company.created': onCompanyChanged(deps),
      'directory.company.updated': onCompanyChanged(deps),
      'directory.employee.created': onEmployeeCreated(deps),
      'directory.employee.updated': onEmployeeUpdated(deps),
      'directory.employee.deleted': onEmployeeDeleted(deps),
    },
  });
}

/** Both events carry the same snapshot. */
const onCompanyChanged =
  ({ companyRules, accounts }: FollowerDeps): EventHandler<'directory.company.created' | 'directory.company.updated'> =>
  async ({ company }) => {
    if (!company) return;
    await companyRules.save(company);
    if (!company.suspended) return;
    // Ends live connections, softphone sessions and their registrations: they work again with what is made after the suspension.
    for await (const chunk of accounts.of(company.id).findInChunks({}, { id: 1 }))
      for (const { id } of chunk) await accounts.of(company.id).changeIfExists(id, verifyAgain);
  };

const onEmployeeCreated =
  ({ accounts, invitationMails, invited, clock }: FollowerDeps): EventHandler<'directory.employee.created'> =>
  async ({ employee }) => {
    if (!employee) return;
    const account = await accounts.ensure(employee);
    if (!employee.invitationPending || account.deletedAt) return;
    await invitationMails.plan(account, clock.now());
    invited();
  };

/** An employee who gets another address before the first sign-in gets another invitation, too; later, an e-mail to the old one. */
const onEmployeeUpdated =
  ({ accounts, invitationMails, invited, clock }: FollowerDeps): EventHandler<'directory.employee.updated'> =>
  async ({ employee }) => {
    if (!employee) return;
    const account = await accounts.ensure(employee);
    if (account.due) invited();
    const isWaiting = employee.invitationPending && !account.invitation && !account.passwordHash;
    if (!isWaiting || account.deletedAt) return;
    await invitationMails.plan(account, clock.now());
    invited();
  };

const onEmployeeDeleted =
  (deps: FollowerDeps): EventHandler<'directory.employee.deleted'> =>
  async ({ employee }, { actor }) => {
    if (!employee) return;
    // Whoever removes an employee ends their credentials.
    await (actor ? runAs(actor, () => endEmployee(deps, employee)) : endEmployee(deps, employee));
  };

interface FollowerDeps extends EmployeeStores {
  readonly companyRules: CompanyRules;
  /** There is an invitation, or another e-mail, to send. */
  readonly invited: () => void;
}

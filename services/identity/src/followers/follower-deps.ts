import type { EmployeeStores } from '../credentials/end-employee.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';

/** What following directory works with. */
export interface FollowerDeps extends EmployeeStores {
  readonly companyRules: CompanyRules;
  /** There is an invitation, or another e-mail, to send. */
  readonly invited: () => void;
}

import { timestampFromDate, timestampNow } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { EmployeeDirectoryService, EmployeeLookupService, Role } from '@parley/proto/directory/v1/employees_pb';
import { type FakeContract, fakeContract } from '@parley/stubs';

export interface FakeEmployee {
  readonly id: string;
  readonly companyId: string;
  name: string;
  email: string;
  invitationPending: boolean;
  revision: bigint;
  role: Role;
  /** The address to sign in with, while `email` has yet to be confirmed. */
  signInEmail?: string | undefined;
  emailChange: bigint;
  /** Absent while active. */
  deactivatedAt?: Date | undefined;
  /** The employee is being deleted. */
  leaving: boolean;
}

export interface FakeCompany {
  readonly companyId: string;
  readonly ownerId: string;
  country: string;
  messagingEnabled: boolean;
  beingDeleted?: boolean;
  /** Absent: the defaults. */
  assistant?: { enabled: boolean; simultaneousSessions: number; monthlyMinutes?: number };
  /** Absent: its own country. */
  destinations?: { countries: string[]; premiumRate: boolean; satellite: boolean };
}

/** Directory's contracts about companies and employees, with the data of the test. */
export interface FakeDirectory {
  readonly contracts: readonly FakeContract[];
  createCompany(details?: Partial<Omit<FakeCompany, 'ownerId'>>): FakeCompany;
  /** Creates a company unless one is given. */
  addEmployee(details?: Partial<FakeEmployee>): FakeEmployee;
  /** The records are changed in place. */
  company(id: string): FakeCompany;
  employee(id: string): FakeEmployee;
  deleteEmployee(id: string): void;
  deleteCompany(id: string): void;
  /** Called while employees are being checked. */
  onCheck: (() => Promise<void>) | undefined;
}

export function fakeDirectory(): FakeDirectory {
  const companies = new Map<string, FakeCompany>();
  const employees = new Map<string, FakeEmployee>();
  const own = (companyId: string) => [...employees.values()].filter((employee) => employee.companyId === companyId);

  const directory: FakeDirectory = {
    contracts: [
      fakeContract(CompanyLookupService, {
        async lookUpCompany({ id }) {
          const { ownerId, country, messagingEnabled, beingDeleted = false, ...more } = directory.company(id);
          const { destinations, assistant } = more;
          const company = { id, name: 'Test', country, messagingEnabled, beingDeleted };
          return {
            company: { ...company, ...(destinations && { destinations }), ...(assistant && { assistant }) },
            ownerId,
          };
        },
      }),
      fakeContract(EmployeeLookupService, {
        getEmployee: async ({ id }) => ({ employee: employeeMessage(directory.employee(id)) }),
      }),
      fakeContract(EmployeeDirectoryService, {
        async checkEmployees({ companyId, employeeIds }) {
          await directory.onCheck?.();
          const known = own(companyId).filter(({ id }) => employeeIds.includes(id));
          return {
            employees: known.filter(({ leaving }) => !leaving).map(employeeMessage),
            unknownIds: employeeIds.filter((id) => !known.some((employee) => employee.id === id)),
            leavingIds: known.filter(({ leaving }) => leaving).map(({ id }) => id),
          };
        },
        async recordSignIn({ employeeId }) {
          const employee = directory.employee(employeeId);
          employee.invitationPending = false;
          return { employee: employeeMessage(employee) };
        },
        async confirmEmail({ employeeId, emailChange }) {
          const employee = directory.employee(employeeId);
          if (employee.emailChange !== emailChange) return unknown();
          employee.signInEmail = undefined;
          employee.revision += 1n;
          return { employee: employeeMessage(employee) };
        },
        async *listCompanyEmployees({ companyId }) {
          yield { employees: own(companyId).map(employeeMessage) };
        },
      }),
    ],
    createCompany({ companyId = newId('com'), country = 'DK', messagingEnabled = false, ...more } = {}) {
      const { id: ownerId } = directory.addEmployee({ companyId });
      const company: FakeCompany = { companyId, ownerId, country, messagingEnabled, ...more };
      companies.set(companyId, company);
      return company;
    },
    addEmployee(details = {}) {
      const employee = {
        id: newId('emp'),
        companyId: newId('com'),
        name: 'Ada',
        email: `${newId('ada')}@example.com`,
        invitationPending: false,
        revision: 1n,
        role: Role.OWNER,
        emailChange: 0n,
        leaving: false,
        ...details,
      };
      employees.set(employee.id, employee);
      return employee;
    },
    company: (id) => companies.get(id) ?? unknown(),
    employee: (id) => employees.get(id) ?? unknown(),
    deleteEmployee: (id) => void employees.delete(id),
    deleteCompany: (id) => void companies.delete(id),
    onCheck: undefined,
  };
  return directory;
}

/** The employee as directory's messages and events have it. */
export function employeeMessage({ leaving: _leaving, signInEmail, deactivatedAt, ...employee }: FakeEmployee) {
  const emails = { signInEmail: signInEmail ?? employee.email, emailConfirmationPending: signInEmail !== undefined };
  return {
    ...employee,
    ...emails,
    ...(deactivatedAt && { deactivatedAt: timestampFromDate(deactivatedAt) }),
    createdAt: timestampNow(),
    updatedAt: timestampNow(),
  };
}

function unknown(): never {
  throw new Refused(notFound);
}

import { microsecondTicker } from '@parley/clock';
import { startRelay } from '@parley/outbox';
import { type Life, openBasis, openBroker, openDatabase, serveGrpc } from '@parley/service';
import { addCompanyAdminService, addCompanyService } from './companies/companies-service.ts';
import { addCompanyLookupService } from './companies/company-lookup-service.ts';
import { openCompanies } from './companies/company-store.ts';
import type { Config } from './config.ts';
import { contactCap } from './contacts/contact-cap.ts';
import { openContacts } from './contacts/contact-store.ts';
import { addContactService } from './contacts/contacts-service.ts';
import { openEmployees } from './employees/employee-store.ts';
import { addEmployeeLookupService } from './employees/employees-service.ts';

export const SERVICE = 'directory';

export async function start(config: Config, life: Life): Promise<void> {
  const basis = await openBasis(SERVICE, config, life);
  const { activity, clock, telemetry } = basis;
  const db = await openDatabase(basis, config);
  const broker = await openBroker(basis, config);
  const relay = await startRelay({ service: SERVICE, db, broker, activity, telemetry });
  life.defer('relay', () => relay.stop());

  const companies = await openCompanies(db, relay, clock);
  const employees = await openEmployees(db, relay, clock);
  const contacts = await openContacts(db, relay, clock);

  await serveGrpc(basis, config, (server) => {
    addCompanyAdminService(server, { companies, employees, clock });
    addCompanyService(server, { companies, employees, clock });
    addCompanyLookupService(server, { companies, employees });
    addEmployeeLookupService(server, { employees });
    addContactService(server, {
      contacts,
      companies,
      clock,
      tick: microsecondTicker(clock),
      cap: contactCap(contacts, config.CONTACTS_MAX),
    });
  });
}

import { microsecondTicker, systemClock } from '@parley/clock';
import { createEgress } from '@parley/egress';
import { EmployeeCopyService } from '@parley/proto/call_control/v1/presence_pb';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { DeactivationReportService } from '@parley/proto/identity/v1/deactivations_pb';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import { addressSigner, encryptor as createEncryptor, signedTokens } from '@parley/secrets';
import { type Lifecycle, openStatefulService } from '@parley/service';
import { companyErasure } from '@parley/personal-data';
import { addCallerContextServices } from './caller-context/caller-context-rpcs.ts';
import { callerLookup } from './caller-context/caller-lookup.ts';
import { openSavedContexts } from './caller-context/saved-context-store.ts';
import { addCompanyServices } from './company-service/company-rpcs.ts';
import { openCompanies } from './companies/company-store.ts';
import { type Config, egressPolicyFrom } from './config.ts';
import { addContactImportService } from './contact-imports/contact-import-rpcs.ts';
import { openContactImports } from './contact-imports/contact-import-store.ts';
import { startContactImports } from './contact-imports/start-contact-imports.ts';
import { contactCap, openContacts } from './contacts/contact-store.ts';
import { addContactServices } from './contacts/contact-rpcs.ts';
import { recordSignIn } from './employees/employee.ts';
import { openEmployees } from './employees/employee-store.ts';
import { addEmployeeServices } from './employees/employee-rpcs.ts';
import { startEmployeeCommands } from './employees/start-employee-commands.ts';
import { openOwnership } from './employees/ownership.ts';
import { addErasureService } from './erasures/erasure-rpcs.ts';
import { openErasures, runningErasures } from './erasures/erasure-store.ts';
import { type ErasureParts, ownPart, partOf, startErasures } from './erasures/start-erasures.ts';
import { addExportServices, exportOf } from './exports/export-rpcs.ts';
import { openExports, openFileDownloads, startExportExpiry } from './exports/export-store.ts';
import { erasePerson, exportPerson } from './personal-data/erase-person.ts';
import { addRetentionService, openRetentions } from './retention/retention-store.ts';
import { addCompanyDeletionService } from './company-deletions/company-deletion-rpcs.ts';
import {
  COMPANY_DELETIONS,
  companyPartOf,
  openCompanyDeletions,
  startCompanyDeletions,
} from './company-deletions/company-deletion-store.ts';
import { secretContext } from './integrations/integration.ts';
import { openIntegrations } from './integrations/integration-store.ts';
import { addIntegrationAdminService } from './integrations/integration-rpcs.ts';
import { migrations } from './migrations.ts';

export const SERVICE = 'directory';

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: true,
      peers: {
        numbersRouting: config.NUMBERS_ROUTING_ADDRESS,
        callControl: config.CALL_CONTROL_ADDRESS,
        messagingInbox: config.MESSAGING_INBOX_ADDRESS,
        webhooks: config.WEBHOOKS_ADDRESS,
        reports: config.REPORTS_ADDRESS,
        assistant: config.ASSISTANT_ADDRESS,
        identity: config.IDENTITY_ADDRESS,
      },
      migrations,
      encrypted: { keys: config.ENCRYPTION_KEY, contextsOf: ({ _id: id }) => [secretContext(String(id))] },
    },
    config,
    lifecycle,
  );
  const { clock, db, peers, relay, telemetry } = service;

  const companies = await openCompanies(db, relay, clock);
  const employees = await openEmployees(db, relay, clock);
  const ownership = await openOwnership(db, employees, systemClock);
  const contacts = await openContacts(db, relay, clock);

  const integrations = await openIntegrations(db, relay, clock);
  const savedContexts = await openSavedContexts(db, relay, clock);

  const routing = peers.numbersRouting.client(RoutingService);
  const credentials = peers.identity.client(CredentialService);
  const copies = peers.callControl.client(EmployeeCopyService);
  const reports = peers.identity.client(DeactivationReportService);
  const employeeCommands = startEmployeeCommands(employees, { credentials, copies, reports, routing });
  service.stopLater('commands of employees', employeeCommands);

  await service.follow({
    name: 'directory-employees',
    handlers: {
      async 'identity.employee.signed_in'({ employeeId }, { companyId }) {
        // The employee may have been deleted meanwhile.
        await employees.of(companyId).changeIfExists(employeeId, (current) => recordSignIn(current, clock.now()));
      },
    },
  });

  const tick = microsecondTicker(clock);
  const cap = contactCap(contacts, config.CONTACTS_MAX);
  const cursors = signedTokens(config.ENCRYPTION_KEY, 'parley contact cursors');
  const contactDeps = { contacts, companies, clock, tick, cap, cursors };
  const imports = await openContactImports(db, relay, clock);
  const erasures = await openErasures(db, relay, clock);
  const erasing = (companyId: string) => runningErasures(erasures, companyId);
  service.stopLater('imports of contacts', startContactImports(imports, { ...contactDeps, erasing }));
  service.stopLater('expiry of imports', imports.startExpiries());
  const encryptor = createEncryptor(config.ENCRYPTION_KEY);
  const egressPolicy = egressPolicyFrom(config);
  const egress = createEgress(egressPolicy);
  lifecycle.defer('egress', () => egress.close());
  const lookup = callerLookup({
    contacts: contactDeps,
    integrations,
    savedContexts,
    egress,
    encryptor,
    clock,
    machineClock: systemClock,
    deadlineMs: config.CALLER_CONTEXT_DEADLINE_MS,
    log: telemetry.log,
  });

  const exports = await openExports(db, relay, clock);
  const fileDownloads = await openFileDownloads(db, relay, clock);
  service.stopLater('expiry of exports', startExportExpiry(exports, relay, clock));
  service.stopLater('expiry of file downloads', startExportExpiry(fileDownloads, relay, clock));
  const parts: ErasureParts = new Map([
    ['call-control', partOf(peers.callControl)],
    ['assistant', partOf(peers.assistant)],
    ['messaging-inbox', partOf(peers.messagingInbox)],
    [SERVICE, ownPart(erasePerson({ ...contactDeps, db, removal: relay.removal, imports, savedContexts, exports }))],
    ['webhooks', partOf(peers.webhooks)],
    ['reports', partOf(peers.reports)],
  ]);
  // Services that follow the events of others come after them, so that no late event restores what was erased.
  const companyParts = new Map([
    ['call-control', companyPartOf(peers.callControl)],
    ['numbers-routing', companyPartOf(peers.numbersRouting)],
    ['identity', companyPartOf(peers.identity)],
    [SERVICE, companyErasure({ db, removal: relay.removal, except: [COMPANY_DELETIONS], last: ['companies'] })],
    ['assistant', companyPartOf(peers.assistant)],
    ['messaging-inbox', companyPartOf(peers.messagingInbox)],
    ['webhooks', companyPartOf(peers.webhooks)],
    // Last: its audit log tells what was done until then.
    ['reports', companyPartOf(peers.reports)],
  ]);
  const deletions = await openCompanyDeletions(db, relay, clock);
  service.stopLater('deletions of companies', startCompanyDeletions(deletions, companyParts));
  const retentions = await openRetentions(db, relay, clock);
  service.stopLater('erasures', startErasures(erasures, parts));

  await service.serve((server) => {
    addCompanyServices(server, { companies, employees, integrations, clock, tick, cursors });
    addEmployeeServices(server, {
      employees,
      companies,
      routing,
      clock,
      machineClock: systemClock,
      employeesMax: config.EMPLOYEES_MAX,
      ownership,
      identity: credentials,
    });
    addContactServices(server, contactDeps);
    addContactImportService(server, { imports, clock });
    addErasureService(server, { erasures, companies, partNames: [...parts.keys()], clock });
    addRetentionService(server, { retentions });
    addExportServices(server, {
      exports,
      fileDownloads,
      companies,
      parts: [
        exportPerson({ contacts, savedContexts }),
        exportOf(peers.callControl),
        exportOf(peers.assistant),
        exportOf(peers.messagingInbox),
        exportOf(peers.webhooks),
      ],
      signer: addressSigner(config.ENCRYPTION_KEY, 'parley exports'),
      clock,
    });
    addCompanyDeletionService(server, { deletions, companies, partNames: [...companyParts.keys()], clock });
    addIntegrationAdminService(server, { integrations, companies, encryptor, egressPolicy });
    addCallerContextServices(server, { lookup });
  });
}

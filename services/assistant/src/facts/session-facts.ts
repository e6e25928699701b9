import type { Clock } from '@parley/clock';
import { notFound, Refused, unlessNotFound } from '@parley/errors';
import type { CachedAnswers } from '@parley/events';
import type { Schedule } from '@parley/opening-hours';
import type { CallingRules } from '@parley/phone-numbers';
import type { AssistantLimits } from '@parley/proto/directory/v1/companies_pb';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { ContactLookupService } from '@parley/proto/directory/v1/contact_lookup_pb';
import { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import { ScheduleService } from '@parley/proto/numbers_routing/v1/schedules_pb';
import type { Channel } from '@parley/rpc';
import type { Assistant } from '../assistants/assistant.ts';
import type { EmbeddedEngine, KnowledgeEntryFacts, KnowledgeIndex, Target } from '../engine/engine.ts';
import type { Destination, LoadedFacts } from './loaded-facts.ts';
import type { SessionLimits } from '../sessions/admission.ts';
import type { Person } from '../sessions/session-update.ts';
import type { TextVectors } from './text-vectors.ts';

/** Whose facts are read. */
export interface FactsOf {
  readonly companyId: string;
  readonly assistantId: string;
  readonly businessNumberId: string;
  /** E.164, or `anonymous`. */
  readonly from: string;
}

/** The names that the company gave to its things, with rules about what it may call. */
interface CompanyRecord {
  readonly name: string;
  readonly address: string | null;
  readonly callingRules: CallingRules;
  readonly messagingEnabled: boolean;
  readonly limits: SessionLimits;
}

interface NumberRecord extends Schedule {
  readonly id: string;
  readonly canSendTexts: boolean;
}

export interface FactsDeps {
  readonly directory: Channel;
  readonly numbersRouting: Channel;
  readonly answers: Pick<CachedAnswers, 'get'>;
  readonly vectors: TextVectors;
  readonly engine: Pick<EmbeddedEngine<unknown>, 'textsToEmbed' | 'indexKnowledge'>;
  readonly assistantOf: (companyId: string, id: string) => Promise<Assistant | undefined>;
  /** All active entries of the company. */
  readonly entriesOf: (companyId: string) => Promise<readonly KnowledgeEntryFacts[]>;
  readonly clock: Clock;
}

const NAME_LENGTH_MAX = 64;
const ANONYMOUS = 'anonymous';

export type FactsLoader = ReturnType<typeof factsLoader>;

/** What is known about a session, read before each turn: a change counts from the next one. */
export function factsLoader(deps: FactsDeps) {
  const companies = deps.directory.client(CompanyLookupService);
  const contacts = deps.directory.client(ContactLookupService);
  const employees = deps.directory.client(EmployeeDirectoryService);
  const schedules = deps.numbersRouting.client(ScheduleService);
  const { answers, vectors, engine, clock } = deps;

  const companyOf = (companyId: string) =>
    answers.get(companyId, 'company', async (): Promise<CompanyRecord> => {
      const { company } = await companies.lookUpCompany({ id: companyId });
      if (!company) throw new Refused(notFound);
      const { name, address, zip, city, country, destinations } = company;
      const place = [zip, city].filter(Boolean).join(' ');
      return {
        name,
        address: [address, place].filter(Boolean).join(', ') || null,
        callingRules: {
          country,
          destinations: destinations ?? { countries: [country], premiumRate: false, satellite: false },
        },
        messagingEnabled: company.messagingEnabled,
        limits: limitsOf(company.assistant),
      };
    });

  const numberOf = (companyId: string, numberId: string) =>
    answers.get(companyId, `number ${numberId}`, async (): Promise<NumberRecord> => {
      const { number, closures } = await schedules.getSchedule({ companyId, numberId });
      if (!number) throw new Refused(notFound);
      const { id, timezone, businessHours, sms } = number;
      return { id, timezone, businessHours, closures, canSendTexts: sms?.canSend ?? false };
    });

  const employeesOf = (companyId: string) =>
    answers.get(companyId, 'employees', async (): Promise<readonly Person[]> => {
      const all: Person[] = [];
      for await (const part of employees.listCompanyEmployees({ companyId }))
        for (const { id, name, deactivatedAt } of part.employees) if (!deactivatedAt) all.push({ id, name });
      return all;
    });

  const callerOf = (companyId: string, phone: string) =>
    answers.get(companyId, `contact ${phone}`, async (): Promise<Person | null> => {
      const found = await unlessNotFound(contacts.lookUpContact({ companyId, phone }));
      const contact = found?.contact;
      return contact ? { id: contact.id, name: contact.name ?? '' } : null;
    });

  async function knowledgeOf(companyId: string, language: string): Promise<KnowledgeIndex> {
    return answers.get(companyId, `knowledge ${language} ${vectors.version()}`, async () => {
      const entries = await deps.entriesOf(companyId);
      vectors.prepare(companyId, engine.textsToEmbed(entries, language));
      return engine.indexKnowledge(entries, language, vectors.of);
    });
  }

  return {
    companyOf,
    /** Throws `Refused` when the assistant is gone. */
    async load({ companyId, assistantId, businessNumberId, from }: FactsOf): Promise<LoadedFacts> {
      const assistant = await answers.get(companyId, `assistant ${assistantId}`, () =>
        deps.assistantOf(companyId, assistantId),
      );
      if (!assistant) throw new Refused(notFound);
      const isKnownNumber = from !== ANONYMOUS;
      const [company, number, knowledge, everybody, contact] = await Promise.all([
        companyOf(companyId),
        numberOf(companyId, businessNumberId),
        knowledgeOf(companyId, assistant.language),
        employeesOf(companyId),
        isKnownNumber ? callerOf(companyId, from) : null,
      ]);
      const { targets, destinations } = targetsOf(assistant, everybody);
      const name = assistant.recogniseCallers && contact ? displayName(contact.name) : null;
      return {
        facts: {
          now: clock.now(),
          assistant,
          company,
          number,
          caller: {
            name,
            number: isKnownNumber ? from : null,
            canReceiveText: isKnownNumber && number.canSendTexts && company.messagingEnabled,
          },
          targets,
          knowledge,
        },
        destinations,
        contactId: contact?.id ?? null,
      };
    },
  };
}

/** Directory of 0.3 sends none, during a rolling update: these are its defaults. */
function limitsOf(limits: AssistantLimits | undefined): SessionLimits {
  const { enabled = true, simultaneousSessions = 5, monthlyMinutes } = limits ?? {};
  return { enabled, simultaneousSessions, monthlyMinutes: monthlyMinutes ?? null };
}

/** A contact's name is not trusted: it is cut, and has no control characters. */
function displayName(name: string): string | null {
  const cut = [...name.replace(/\p{C}/gu, ' ').replace(/\s+/g, ' ').trim()].slice(0, NAME_LENGTH_MAX).join('');
  return cut === '' ? null : cut;
}

/** Targets of the assistant, and all employees if callers may ask for them by name. */
function targetsOf(assistant: Assistant, employees: readonly Person[]) {
  const destinations = new Map<string, Destination>();
  const own = assistant.transferTargets.map(({ id, name, aliases, employeeIds, phoneNumber }): Target => {
    destinations.set(id, { name, employeeIds, phoneNumber });
    return { id, type: 'transfer_target', name, aliases };
  });
  const byName = assistant.reachEmployeesByName ? employees : [];
  const people = byName.map(({ id, name }): Target => {
    destinations.set(id, { name, employeeIds: [id], phoneNumber: null });
    return { id, type: 'employee', name, aliases: [] };
  });
  return { targets: [...own, ...people], destinations };
}

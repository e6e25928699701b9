import type { MessageInitShape } from '@bufbuild/protobuf';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import type {
  CompanySchema,
  UpdateCompanyByOperatorRequest,
  UpdateCompanyRequest,
} from '@parley/proto/directory/v1/companies_pb';
import { textChange } from '../text-change-proto.ts';
import { DEFAULT_ASSISTANT_LIMITS } from './assistant-limits.ts';
import { DEFAULT_LIMITS, destinationsOf } from './call-permissions.ts';
import type { Company, CompanyChange, CompanyEvent, OperatorChange } from './company.ts';

export function companyToProto(company: Company): MessageInitShape<typeof CompanySchema> {
  const { limits = DEFAULT_LIMITS, assistant = DEFAULT_ASSISTANT_LIMITS } = company;
  const { enabled, simultaneousSessions, monthlyMinutes } = assistant;
  const destinations = destinationsOf(company);
  return {
    id: company.id,
    name: company.name,
    ...(company.address !== null && { address: company.address }),
    ...(company.city !== null && { city: company.city }),
    ...(company.state !== null && { state: company.state }),
    ...(company.zip !== null && { zip: company.zip }),
    country: company.country,
    ...(company.vatId !== null && { vatId: company.vatId }),
    requiresTwoFactor: company.requiresTwoFactor,
    supervisionEnabled: company.supervisionEnabled,
    messagingEnabled: company.messagingEnabled,
    limits,
    destinations: { ...destinations, countries: [...destinations.countries] },
    assistant: { enabled, simultaneousSessions, ...(monthlyMinutes !== null && { monthlyMinutes }) },
    suspended: company.suspended,
    beingDeleted: company.isBeingDeleted,
  };
}

export function operatorChangeFromProto(request: UpdateCompanyByOperatorRequest): OperatorChange {
  const { name, messagingEnabled, limits, destinations, assistant, suspended } = request;
  return {
    ...(name !== undefined && { name }),
    ...(messagingEnabled !== undefined && { messagingEnabled }),
    ...(suspended !== undefined && { suspended }),
    ...(limits && { limits: given(limits, LIMIT_FIELDS) }),
    ...(destinations && {
      destinations: {
        ...given(destinations, ['premiumRate', 'satellite']),
        ...(destinations.countries && { countries: destinations.countries.codes }),
      },
    }),
    ...(assistant && {
      assistant: {
        ...given(assistant, ['enabled', 'simultaneousSessions']),
        ...(assistant.monthlyMinutes && { monthlyMinutes: assistant.monthlyMinutes.minutes ?? null }),
      },
    }),
  };
}

const LIMIT_FIELDS = [
  'simultaneousCalls',
  'callsPerMinute',
  'employeeSimultaneousCalls',
  'employeeCallsPerMinute',
] as const;

/** The named fields of a message that are present. */
function given<Message, Name extends keyof Message>(
  message: Message,
  names: readonly Name[],
): { [Field in Name]?: NonNullable<Message[Field]> } {
  const present = names.filter((name) => message[name] !== undefined).map((name) => [name, message[name]]);
  return Object.fromEntries(present) as { [Field in Name]?: NonNullable<Message[Field]> };
}

export function changeFromProto(request: UpdateCompanyRequest): CompanyChange {
  return {
    ...textChange('address', request.address),
    ...textChange('city', request.city),
    ...textChange('state', request.state),
    ...textChange('zip', request.zip),
    ...textChange('vatId', request.vatId),
    ...(request.country !== undefined && { country: request.country }),
    ...(request.requiresTwoFactor !== undefined && { requiresTwoFactor: request.requiresTwoFactor }),
    ...(request.supervisionEnabled !== undefined && { supervisionEnabled: request.supervisionEnabled }),
  };
}

export function encodeCompanyEvent(event: CompanyEvent): EncodedMessage {
  return encodeMessage(event.type, { company: companyToProto(event.company) });
}

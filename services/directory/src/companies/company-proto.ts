import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { EncodedEvent } from '@parley/outbox';
import type { CompanySchema, UpdateCompanyRequest } from '@parley/proto/directory/v1/companies_pb';
import { CompanyCreatedSchema, CompanyUpdatedSchema } from '@parley/proto/directory/v1/company_events_pb';
import { textChange } from '../text-change-proto.ts';
import type { Company, CompanyChange, CompanyEvent } from './company.ts';

export function companyToProto(company: Company): MessageInitShape<typeof CompanySchema> {
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
    messagingEnabled: company.messagingEnabled,
  };
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
  };
}

const schemas = {
  'directory.company.created': CompanyCreatedSchema,
  'directory.company.updated': CompanyUpdatedSchema,
};

export function encodeCompanyEvent(event: CompanyEvent): EncodedEvent {
  const schema = schemas[event.type];
  return { type: event.type, data: toBinary(schema, create(schema, { company: companyToProto(event.company) })) };
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import type { CompanySchema, UpdateCompanyRequest } from '@parley/proto/directory/v1/companies_pb';
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

export function encodeCompanyEvent(event: CompanyEvent): EncodedMessage {
  return encodeMessage(event.type, { company: companyToProto(event.company) });
}

import { BusinessNumberAdminService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { asOperator, type ServiceForTest } from '@parley/testkit/service';

let last = 70_000_000;

/** The operator's request for a number that is not in use. */
export const numberRequest = (companyId: string) => ({
  companyId,
  number: `+45${(last += 1)}`,
  name: 'Support',
  timezone: 'Europe/Copenhagen',
  language: 'en',
  recordingEnabled: true,
  sms: { canSend: true, canReceive: true },
});

/** Creates a business number of a company. */
export async function createNumber(parley: ServiceForTest, companyId: string) {
  const admin = parley.as('gateway').client(BusinessNumberAdminService);
  const { view } = await admin.createBusinessNumber(numberRequest(companyId), asOperator);
  if (!view?.number) throw new Error('no number');
  return view.number;
}

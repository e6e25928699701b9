import type { CompanyOf } from '../clients/company-client.ts';
import type { Listenings } from '../listenings/listening-store.ts';
import type { SignedRecording } from '../recordings/recording-signer.ts';

/** True for an address in a webhook event, which ends with no credential, while its company is suspended. */
export function isRecordingStopped(
  listenings: Pick<Listenings, 'findPlayed'>,
  companyOf: CompanyOf,
): (recording: SignedRecording) => Promise<boolean> {
  return async ({ givenTo, name }) => {
    if (givenTo !== 'webhook') return false;
    const played = await listenings.findPlayed(name);
    const company = played && (await companyOf(played.companyId));
    return !company || company.isSuspended === true;
  };
}

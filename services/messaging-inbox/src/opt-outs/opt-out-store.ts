import { type Documents, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { pairId } from '../texting/number-pair.ts';
import type { OptOut } from './opt-out.ts';

export interface OptOuts extends Documents<OptOut> {
  isOptedOut(companyId: string, businessNumberId: string, externalNumber: string): Promise<boolean>;
}

export async function openOptOuts(db: Db): Promise<OptOuts> {
  const optOuts = await openDocuments<OptOut>({ db, collection: 'opt_outs' });
  return {
    ...optOuts,
    async isOptedOut(companyId, businessNumberId, externalNumber) {
      const found = await optOuts.of(companyId).get(pairId(businessNumberId, externalNumber));
      return found?.optedOut ?? false;
    },
  };
}

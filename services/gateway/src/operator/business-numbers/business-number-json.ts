import type { BusinessNumberView } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { z } from 'zod';
import { businessNumberJson, businessNumberSchema } from '../../routes/business-numbers/business-number-json.ts';

/** A business number as the operator sees it: the public fields and whether it is switched on. */
export const operatorNumberSchema = businessNumberSchema
  .extend({ active: z.boolean() })
  .meta({ id: 'OperatorBusinessNumber' });

export function operatorNumberJson(view: BusinessNumberView | undefined): z.output<typeof operatorNumberSchema> {
  return { ...businessNumberJson(view), active: view?.number?.active ?? false };
}

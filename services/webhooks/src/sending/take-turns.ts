import type { DueLease } from '@parley/store';
import type { Collection, Filter } from 'mongodb';
import type { DeliveryDocument } from '../deliveries/delivery-store.ts';
import type { Receivers } from './receivers.ts';

/** Also the key of the index that is used. */
const inTurn = { subscriptionId: 1, 'due.at': 1 } as const;

/**
 * Claims due deliveries subscription by subscription, one of each in turn, and passes over those whose receiver has no
 * place: a slow receiver with ten thousand due deliveries costs the others nothing, because the index is entered behind
 * them.
 */
export function takeTurns(collection: Collection<DeliveryDocument>, receivers: Receivers) {
  let last = '';

  const takeAfter = (after: string, claimable: Filter<DeliveryDocument>, dueLease: DueLease) =>
    collection.findOneAndUpdate(
      { ...claimable, subscriptionId: { $gt: after, $nin: receivers.crowded() } },
      { $set: { dueLease } },
      {
        sort: inTurn,
        hint: inTurn,
        returnDocument: 'after',
        maxTimeMS: 5000,
      },
    );

  return async (claimable: Filter<DeliveryDocument>, dueLease: DueLease): Promise<DeliveryDocument | null> => {
    if (receivers.isFull()) return null;
    const next = await takeAfter(last, claimable, dueLease);
    const taken = next ?? (last === '' ? null : await takeAfter('', claimable, dueLease));
    last = taken?.subscriptionId ?? '';
    return taken;
  };
}

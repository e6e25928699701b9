import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Erase, ErasedPortion, Person } from '@parley/personal-data';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import type { Channel } from '@parley/rpc';

/** Removes a portion of what one service stores of a person. */
export type ErasePart = (person: Person, erasureId: string, position: string) => Promise<ErasedPortion>;

/**
 * Keyed by service, in the order of erasure: a contact may be created from a call and a delivery from any object, so the sources
 * are erased before what is derived from them.
 */
export type ErasureParts = ReadonlyMap<string, ErasePart>;

/** A portion reads some hundred records; far more than that takes. */
const timeoutMs = 60_000;

export function partOf(channel: Channel): ErasePart {
  const personalData = channel.client(PersonalDataService);
  return async ({ companyId, phoneNumber, before }, erasureId, position) => {
    const request = { companyId, phoneNumber, erasureId, before: timestampFromDate(before), position };
    const { removed, done, waiting, ...answer } = await personalData.erasePerson(request, { timeoutMs });
    return { removed, position: answer.position, isDone: done, isWaiting: waiting };
  };
}

export function ownPart(erase: Erase): ErasePart {
  return (person, _erasureId, position) => erase(person, position);
}

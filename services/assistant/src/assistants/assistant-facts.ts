import { readCallableNumber } from '@parley/phone-numbers';
import { newId } from '@parley/secrets';
import type { ServiceContext } from '../service-context.ts';
import type { AssistantChange, AssistantFacts } from './assistant.ts';
import type { ReadPhoneNumber } from './transfer-target.ts';

type Deps = Pick<ServiceContext, 'directory' | 'numbers' | 'speech' | 'clock'>;

/** Languages and voices that are checked without asking speech. */
const ALWAYS = { languages: ['en'], voices: [] };
/** Bounds the requests to other services; more than these are refused anyway. */
const LOOKED_UP_MAX = 2500;

/** Reads what a change is decided on from the services that own it, and asks only those that it needs. */
export async function assistantFacts(
  { directory, numbers, speech, clock }: Deps,
  companyId: string,
  { language, voice, transferTargets = [] }: AssistantChange,
): Promise<AssistantFacts> {
  const needsSpeech = (language ?? 'en') !== 'en' || (voice ?? null) !== null;
  const written = transferTargets.flatMap(({ phoneNumber }) => phoneNumber ?? []);
  const [{ languages, voices }, unknownEmployees, phoneNumbers] = await Promise.all([
    needsSpeech ? speech.options() : ALWAYS,
    directory.unknownEmployees(
      companyId,
      transferTargets.flatMap(({ employeeIds }) => employeeIds).slice(0, LOOKED_UP_MAX),
    ),
    readPhoneNumbers({ directory, numbers }, companyId, written.slice(0, LOOKED_UP_MAX)),
  ]);
  return { languages, voices, unknownEmployees, phoneNumbers, newTargetId: () => newId('tgt'), now: clock.now() };
}

/** By the rules of numbers that calls are forwarded to. */
async function readPhoneNumbers(
  { directory, numbers }: Pick<Deps, 'directory' | 'numbers'>,
  companyId: string,
  written: readonly string[],
): Promise<ReadonlyMap<string, ReadPhoneNumber>> {
  if (written.length === 0) return new Map();
  const rules = await directory.callingRules(companyId);
  const read = new Map<string, ReadPhoneNumber>();
  for (const text of new Set(written)) {
    const number = readCallableNumber(text, rules);
    if (number === 'not_allowed') read.set(text, number);
    else if (number === 'not_a_number' || number.isEmergency)
      read.set(text, { problem: 'is not a valid phone number' });
    // A call would never leave the company.
    else if (await numbers.isOwnNumber(companyId, number.to))
      read.set(text, { problem: 'is a business number of the company' });
    else read.set(text, { to: number.to });
  }
  return read;
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BusinessHoursEntry, Closure } from '@parley/opening-hours';
import { embeddedEngine } from '../src/engine/embedded-engine.ts';
import type { KnowledgeEntryFacts, SessionFacts, Target } from '../src/engine/engine.ts';

/** A company of `test/questions`. */
interface CompanyFile {
  readonly name: string;
  readonly address: string;
  readonly country: string;
  readonly timezone: string;
  /** When it is called. */
  readonly at: string;
  readonly hours: readonly Omit<BusinessHoursEntry, 'dayOfWeek'>[];
  readonly closures: readonly Omit<Closure, 'id'>[];
  readonly targets: readonly Target[];
  readonly entries: readonly (Pick<KnowledgeEntryFacts, 'id' | 'title' | 'answer' | 'questions'> & { text?: string })[];
}

export type CompanyName = 'bicycles' | 'dentist' | 'vets' | 'hotel' | 'accountants';

type VectorOf = (text: string) => Float32Array | undefined;

export function readQuestionFile(name: string): unknown {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, 'questions', `${name}.json`), 'utf8'));
}

export function entriesOf(company: CompanyName): KnowledgeEntryFacts[] {
  const { entries } = readQuestionFile(`company-${company}`) as CompanyFile;
  return entries.map((entry) => ({ text: null, businessNumberIds: [], validUntil: null, ...entry }));
}

/** What an assistant of the company knows; without vectors, words have to do. */
export function companyFacts(
  company: CompanyName,
  { language = 'en', vectorOf = () => undefined }: { language?: string; vectorOf?: VectorOf } = {},
): SessionFacts {
  const file = readQuestionFile(`company-${company}`) as CompanyFile;
  const { name, address, country, timezone, at, hours, closures, targets } = file;
  return {
    now: new Date(at),
    assistant: {
      name: 'Robin',
      language,
      disclosure: 'You are speaking with an automated assistant.',
      greeting: `Welcome to ${name}. How can I help you?`,
      instructions: '',
      actions: { transfer: true, takeMessage: true, requestCallback: true, sendText: true },
    },
    company: {
      name,
      address,
      callingRules: { country, destinations: { countries: [country], premiumRate: false, satellite: false } },
    },
    number: {
      id: 'num_1',
      timezone,
      businessHours: hours.map((entry, dayOfWeek) => ({ dayOfWeek, ...entry })),
      closures: closures.map((closure, index) => ({ id: `clo_${index}`, ...closure })),
    },
    caller: { name: null, number: country === 'GB' ? '+441174960123' : '+4520304050', canReceiveText: true },
    targets,
    knowledge: embeddedEngine.indexKnowledge(entriesOf(company), language, vectorOf),
  };
}

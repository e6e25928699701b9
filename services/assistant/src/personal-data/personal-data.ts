import { type ErasureStep, type ExportPerson, jsonFile, type RetentionStep } from '@parley/personal-data';
import type { UnansweredQuestions } from '../unanswered-questions/unanswered-question-store.ts';

interface Deps {
  readonly questions: UnansweredQuestions;
}

/** What this service stores of a person outside the company. */
export function erasureSteps({ questions }: Deps): ErasureStep[] {
  return [
    {
      name: 'unanswered_questions',
      async erase({ companyId, phoneNumber, before }) {
        const { removed, isDone } = await questions.removeOfPerson(companyId, phoneNumber, before);
        return { removed, next: isDone ? undefined : '' };
      },
    },
  ];
}

/** What was said is kept as long as transcripts, and no longer than the calls in which it was said. */
export function retentionSteps({ questions }: Deps): RetentionStep[] {
  return [
    {
      name: 'unanswered_questions',
      async erase({ companyId, cutoffs: { transcripts, calls } }) {
        const [until] = [transcripts, calls]
          .flatMap((cutoff) => cutoff ?? [])
          .toSorted((a, b) => Number(b) - Number(a));
        if (!until) return { removed: 0 };
        const { removed, isDone } = await questions.removeOldest(companyId, until);
        return { removed, next: isDone ? undefined : '' };
      },
    },
  ];
}

export function exportPerson({ questions }: Deps): ExportPerson {
  return async function* ({ companyId, phoneNumber, before }) {
    yield jsonFile('assistant/unanswered_questions.json', questionsOf());

    async function* questionsOf() {
      for (const question of await questions.ofPerson(companyId, phoneNumber, before))
        yield {
          id: question.id,
          text: question.text,
          call_id: question.callId,
          business_number_id: question.businessNumberId,
          asked_at: question.askedAt.toISOString(),
        };
    }
  };
}

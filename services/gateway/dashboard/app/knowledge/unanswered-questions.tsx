import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { api, at, ok } from '../api/client.ts';
import type { UnansweredQuestion } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { QueryState } from '../ui/query-state.tsx';
import text from '../ui/text.module.css';
import { Time } from '../ui/time.tsx';
import styles from './knowledge.module.css';
import { unansweredQuestionsChanged, useUnansweredQuestions } from './knowledge-queries.ts';

/** What callers asked and nothing fitted. */
export function UnansweredQuestions({ onAnswer }: { onAnswer: (question: UnansweredQuestion) => void }): ReactNode {
  const questions = useUnansweredQuestions();
  const id = useId();
  return (
    <section className={styles['unanswered']} aria-labelledby={id}>
      <h2 id={id}>{t('Unanswered')}</h2>
      <QueryState query={questions}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.unanswered_questions);
          if (all.length === 0)
            return (
              <p className={text['meta']}>{t('What callers ask and nothing here answers will be listed here.')}</p>
            );
          return (
            <ul>
              {all.map((question) => (
                <Question key={question.id} question={question} onAnswer={() => onAnswer(question)} />
              ))}
            </ul>
          );
        }}
      </QueryState>
      <LoadMore {...questions} />
    </section>
  );
}

function Question({ question, onAnswer }: { question: UnansweredQuestion; onAnswer: () => void }): ReactNode {
  const id = useId();
  const dismissal = useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/unanswered_questions/{id}', at(question.id))),
    onSuccess: async () => {
      await unansweredQuestionsChanged();
      announce(t('The question was dismissed.'));
    },
    onError: (error) => announce(error.message),
  });
  return (
    <li className={styles['question']}>
      <p id={id} dir="auto" className={styles['asked']}>
        {question.text}
      </p>
      <p className={text['meta']}>
        <Link href={`~/dashboard/calls/${encodeURIComponent(question.call_id)}`} className={text['link']}>
          {t('Open the call')}
        </Link>{' '}
        · <Time at={question.asked_at} withTime />
      </p>
      {isAdmin && (
        <div className={styles['buttons']}>
          <Button size="s" aria-describedby={id} onPress={onAnswer}>
            {t('Write an answer')}
          </Button>
          <Button
            size="s"
            variant="ghost"
            aria-describedby={id}
            busy={dismissal.isPending}
            onPress={() => dismissal.mutate()}
          >
            {t('Dismiss')}
          </Button>
        </div>
      )}
    </li>
  );
}

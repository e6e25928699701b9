import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RouteExplanation } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { QueryState } from '../ui/query-state.tsx';
import { flowTexts, reasonTexts } from './explanation-text.ts';
import styles from './route-explanation.module.css';

export function RouteExplanationTexts({ explanation }: { explanation: UseQueryResult<RouteExplanation> }): ReactNode {
  return (
    <div aria-live="polite">
      <QueryState query={explanation} skeleton={null}>
        {(data) => <Texts explanation={data} />}
      </QueryState>
    </div>
  );
}

function Texts({ explanation }: { explanation: RouteExplanation }): ReactNode {
  const { flow, employees, no_answer: noAnswer } = explanation;
  return (
    <dl className={styles['texts']}>
      <Paragraphs title={t('Why')} texts={reasonTexts(explanation)} />
      {flow && <Paragraphs title={t('Then')} texts={flowTexts(flow, employees)} />}
      {flow && noAnswer && (
        <Paragraphs title={t('If nobody answers')} texts={flowTexts(noAnswer.flow, noAnswer.employees)} />
      )}
    </dl>
  );
}

function Paragraphs({ title, texts }: { title: string; texts: readonly string[] }): ReactNode {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </dd>
    </div>
  );
}

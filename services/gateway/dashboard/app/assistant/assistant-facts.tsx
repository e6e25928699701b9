import type { ReactNode } from 'react';
import type { Assistant } from '../api/schema.d.ts';
import { capitalised, languageName, listOf } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { Section } from '../ui/page.tsx';
import { ReadOnly } from '../ui/read-only.tsx';
import styles from './assistant-page.module.css';
import { actionTexts } from './assistant-texts.ts';

/** The settings of an assistant, for those who may not change them. */
export function AssistantFacts({ assistant }: { assistant: Assistant }): ReactNode {
  const { actions, transfer_targets: targets } = assistant;
  const allowed = actionTexts().filter(([action]) => actions[action]);
  return (
    <ReadOnly label={assistant.name}>
      <Section title={t('Greeting')}>
        <dl className={styles['facts']}>
          <Fact name={t('Disclosure')}>{assistant.disclosure}</Fact>
          <Fact name={t('Greeting')}>{assistant.greeting}</Fact>
          <Fact name={t('Language')}>{capitalised(languageName(assistant.language))}</Fact>
        </dl>
      </Section>
      <Section title={t('What it may do')}>
        <p>{allowed.length > 0 ? listOf(allowed.map(([, label]) => label)) : t('Answer questions.')}</p>
      </Section>
      <Section title={t('People and teams')}>
        <p>
          {assistant.reach_employees_by_name
            ? t('Callers may ask for every employee by name')
            : t('Callers cannot ask for employees by name')}
          {targets.length > 0 && (
            <>
              {' · '}
              <bdi>{listOf(targets.map(({ name }) => name))}</bdi>
            </>
          )}
        </p>
      </Section>
      <Section title={t('Limits')}>
        <dl className={styles['facts']}>
          <Fact name={t('Longest conversation in seconds')}>{assistant.max_duration_secs}</Fact>
          <Fact name={t('Seconds of silence')}>{assistant.silence_secs}</Fact>
          <Fact name={t('Keep what was said after the call')}>{assistant.keep_transcript ? t('yes') : t('no')}</Fact>
        </dl>
      </Section>
    </ReadOnly>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
